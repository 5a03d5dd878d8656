// Something that the server has, and what is known of it so far.
import { get } from "./api";
import { ApiError } from "./api_error";

export class Resource<T> {
  /** What came last; an error leaves it as it is. */
  data = $state.raw<T | null>(null);
  error = $state("");
  isLoading = false;
  #control: AbortController | null = null;

  /** Requests it. An answer to an earlier request that comes later is dropped. */
  async load(path: string): Promise<void> {
    this.#control?.abort();
    const control = new AbortController();
    this.#control = control;
    this.isLoading = true;
    try {
      const data = await get<T>(path, control.signal);
      if (this.#control !== control) return;
      this.data = data;
      this.error = "";
    } catch (error) {
      if (this.#control !== control) return;
      this.error = error instanceof ApiError ? error.message : String(error);
    }
    this.isLoading = false;
  }
  stop(): void {
    this.#control?.abort();
    this.#control = null;
    this.isLoading = false;
  }
}
