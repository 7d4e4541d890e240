import { parentPort } from 'node:worker_threads';
import { labeller } from '../../shared/label/labels.ts';
import { RuleIndex } from '../../shared/match/rule-index.ts';
import { read } from '../../shared/page/read.ts';
import type { PageFinding } from './case.ts';
import { judge } from './judge.ts';
import type { Answer, Question, Reply, Request } from './protocol.ts';
import { said } from './refusals.ts';
import { Triggers } from './triggers.ts';
import { judgeWatch } from './watch-judge.ts';

/** One of the threads that judge pages, with an index of all rules of its own: a case in, a judgement out. */
function serve(port: NonNullable<typeof parentPort>): void {
  const rules = new RuleIndex();
  const tools = { rules, triggers: new Triggers(), extract: read, labeller };

  port.on('message', (request: Request) => {
    if (request.kind === 'judge' || request.kind === 'judge-watch') {
      void answerTo(request).then((answer) => reply(answer, buffersOf(answer)));
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

  async function answerTo(question: Question): Promise<Answer> {
    return question.kind === 'judge'
      ? { kind: 'judged', judgement: packed(await judge(question.given, tools)) }
      : { kind: 'judged-watch', judgement: await judgeWatch(question.given, tools) };
  }

  function reply(message: Reply, transfer: readonly ArrayBuffer[]): void {
    port.postMessage(message, transfer);
  }

  reply({ kind: 'ready' }, []);
}

/** What the page leads to goes as text, which the main thread hands on to the storage unread. */
function packed(finding: PageFinding): PageFinding {
  const { discovered = [], ...rest } = finding;
  return discovered.length === 0 ? finding : { ...rest, packedDiscovered: JSON.stringify(discovered) };
}

/** What changes hands, and need not be copied. */
function buffersOf(answer: Answer): ArrayBuffer[] {
  return viewsIn(answer)
    .filter((view) => view !== undefined)
    .map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}

function viewsIn({ kind, judgement }: Answer): (Uint8Array | undefined)[] {
  if (judgement.outcome === 'failed') return [];
  if (kind === 'judged') {
    const { version, furniture, recent } = judgement;
    return [version?.page, version?.body, furniture, recent];
  }
  const { baseline, text, diff } = judgement;
  return [baseline?.page, baseline?.body, text?.packed, diff?.packed];
}

if (parentPort) serve(parentPort);
