/** What the server refuses, or why it cannot be reached. */
export class ApiError extends Error {
  constructor(message: string, readonly status: number) { super(message); }
}
