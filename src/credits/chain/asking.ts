import { Detail, HttpError } from '../../protocol/rest/errors.js';

export interface AskingLog {
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/** A question to the chain on behalf of a client: HttpError 503 where the node does not answer, or not as it should. */
export async function asking<T>(log: AskingLog, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    log.warn({ err: error }, 'the RPC node did not answer');
    throw new HttpError(503, Detail.chainAway);
  }
}
