/**
 * The web view's sign-in, for the operator alone: `POST /admin/ui/links`, `GET` and `DELETE /admin/ui/sessions`,
 * `DELETE /admin/ui/sessions/:id`. There are no such routes where the setting `ui` is off.
 */
export interface UiLink {
  /** Opens one session of the operator, once. */
  readonly url: string;
  readonly expires_at: string;
}

export interface UiSession {
  readonly id: string;
  /** `operator`, or the management key: `key laptop (svcm_Ab3d)`. */
  readonly who: string;
  /** What the browser calls itself. */
  readonly agent: string;
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface UiSessionsEnded {
  readonly ended: number;
}
