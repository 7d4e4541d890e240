import { parentPort } from 'node:worker_threads';
import { labeller } from '../../shared/label/labels.ts';
import { RuleIndex } from '../../shared/match/rule-index.ts';
import { read } from '../../shared/page/read.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { type PageFinding, faultText } from './findings.ts';
import { analyzePage } from './analyze-page.ts';
import type { Answer, Question, Reply, Request } from './analysis-thread.ts';
import { Triggers } from './matching.ts';
import { analyzeWatch } from './analyze-watch.ts';

/** One of the threads that analyze pages, with an index of all rules of its own: an input in, a finding out. */
function serve(port: NonNullable<typeof parentPort>): void {
  const rules = new RuleIndex();
  const tools = { rules, triggers: new Triggers(), extract: read, labeller };

  port.on('message', (request: Request) => {
    if (request.kind === 'analyze' || request.kind === 'analyze-watch') {
      void answerTo(request).then((answer) => reply(answer, buffersOf(answer)));
    } else if (request.kind === 'collect') {
      void collectGarbage().then((bytes) => reply({ kind: 'collected', bytes }, []));
    } else if (request.kind === 'release') {
      void collectGarbage();
    } else if (request.kind === 'unregister') {
      rules.unregister(request.ruleId);
    } else {
      try {
        rules.register(request.rule);
      } catch (fault) {
        reply({ kind: 'rejected', ruleId: request.rule.id, fault: faultText(fault) }, []);
      }
    }
  });

  async function answerTo(question: Question): Promise<Answer> {
    return question.kind === 'analyze'
      ? { kind: 'analyzed', finding: packed(await analyzePage(question.given, tools)) }
      : { kind: 'analyzed-watch', finding: await analyzeWatch(question.given, tools) };
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

function viewsIn({ kind, finding }: Answer): (Uint8Array | undefined)[] {
  if (finding.outcome === 'failed') return [];
  if (kind === 'analyzed') {
    const { version, boilerplate, recent } = finding;
    return [version?.page, version?.body, boilerplate, recent];
  }
  const { baseline, text, diff } = finding;
  return [baseline?.page, baseline?.body, text?.packed, diff?.packed];
}

if (parentPort) serve(parentPort);
