/** What is wrong, by kind: what the harness is for is that all of it stays empty. */
export class Findings {
  readonly lost: string[] = [];
  readonly doubled: string[] = [];
  readonly disordered: string[] = [];
  /** What contradicts something else: books that do not add up, rules that are not registered, a damaged file. */
  readonly wrong: string[] = [];
  /** Which life it is, for whoever reads a finding. */
  when = 'before the first life';

  lose(what: string): void {
    this.lost.push(`${this.when}: ${what}`);
  }

  double(what: string): void {
    this.doubled.push(`${this.when}: ${what}`);
  }

  disorder(what: string): void {
    this.disordered.push(`${this.when}: ${what}`);
  }

  contradict(what: string): void {
    this.wrong.push(`${this.when}: ${what}`);
  }

  get all(): string[] {
    const kinds = { lost: this.lost, doubled: this.doubled, 'out of order': this.disordered, wrong: this.wrong };
    return Object.entries(kinds).flatMap(([kind, found]) => found.map((what) => `FAULT (${kind}): ${what}`));
  }
}
