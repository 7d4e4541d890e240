import type { RequestReport } from '../../shared/api/own-request.ts';

/** How a page is asked for, as a watch and a source keep it. */
export interface StoredRequest {
  /** What may be shown of it. */
  readonly shown: RequestReport;
  /** All of it, sealed with the instance's secret. */
  readonly sealed: string;
  /**
   * Random; another one where another page may be the answer: another method, body or name, other headers than before. New values
   * of the same headers are the same login, renewed.
   */
  readonly version: string;
}
