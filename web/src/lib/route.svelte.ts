// The place in the page: the part of the address after "#". "#/tournaments/1/games/5?ply=12"

export interface Place {
  /** The words of the path: ["tournaments", "1", "games", "5"]. */
  path: string[];
  query: URLSearchParams;
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

export function parsePlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** Returns the address of a place. Empty and missing parameters are left out. */
export function linkTo(path: (string | number)[],
                       query: Record<string, string | number | null | undefined> = {}): string {
  const text = new URLSearchParams(Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([key, value]) => [key, String(value)])).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${text && `?${text}`}`;
}

class Route {
  place = $state(parsePlace(location.hash));

  constructor() {
    addEventListener("hashchange", () => { this.place = parsePlace(location.hash); });
  }
  go(link: string): void { location.hash = link; }
  /** Changes the address without a new entry in the browser's history. */
  replace(link: string): void {
    history.replaceState(null, "", link);
    this.place = parsePlace(link);
  }
}

export const route = new Route();
