// Saves a board as the page shows it.

const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
  "stroke-linejoin", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight",
  "text-anchor", "display",
];

/** Returns an SVG of the page as a file's text: with its styles, without the page's style sheet. */
export function pictureOf(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(originals[i]!);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "data-spot", "data-at", "data-piece"]) element.removeAttribute(name);
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(Math.round(width)));
  copy.setAttribute("height", String(Math.round(height)));
  for (const name of ["class", "aria-hidden"]) copy.removeAttribute(name);
  return new XMLSerializer().serializeToString(copy);
}
