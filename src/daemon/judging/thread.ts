import { parentPort } from 'node:worker_threads';
import { labeller } from '../../shared/label/labels.ts';
import { RuleIndex } from '../../shared/match/rule-index.ts';
import { read } from '../../shared/page/read.ts';
import type { Judgement } from './case.ts';
import { judge } from './judge.ts';
import type { Reply, Request } from './protocol.ts';
import { said } from './refusals.ts';

/** One of the threads that judge pages, with an index of all rules of its own: a case in, a judgement out. */
function serve(port: NonNullable<typeof parentPort>): void {
  const rules = new RuleIndex();
  const tools = { rules, extract: read, labeller };

  port.on('message', (request: Request) => {
    if (request.kind === 'judge') {
      void judge(request.given, tools).then((judgement) => {
        reply({ kind: 'judged', judgement: packed(judgement) }, buffersOf(judgement));
      });
    } else if (request.kind === 'withdraw') {
      rules.withdraw(request.ruleId);
    } else {
      try {
        rules.arm(request.rule);
      } catch (fault) {
        reply({ kind: 'unarmed', ruleId: request.rule.id, fault: said(fault) }, []);
      }
    }
  });

  function reply(message: Reply, transfer: readonly ArrayBuffer[]): void {
    port.postMessage(message, transfer);
  }
}

/** What the page leads to goes as text, which the main thread hands on to the storage unread. */
function packed(judgement: Judgement): Judgement {
  if (judgement.outcome === 'failed' || judgement.discovered.length === 0) return judgement;
  return { ...judgement, discovered: [], packedDiscovered: JSON.stringify(judgement.discovered) };
}

/** What changes hands, and need not be copied. */
function buffersOf(judgement: Judgement): ArrayBuffer[] {
  if (judgement.outcome === 'failed') return [];
  const { version, furniture, recent } = judgement;
  const views = [version?.page, version?.body, furniture, recent].filter((view) => view !== undefined);
  return views.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}

if (parentPort) serve(parentPort);
