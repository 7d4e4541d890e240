import { type Chapter, inTerminal, type Scene } from './first-hour-chapters.ts';
import type { Terminal } from './first-hour-terminal.ts';

/** In each shell: set up as the help says, then Tab. The daemon is running, and has a tap and a rule. */
const shells = [
  { name: 'bash', start: 'bash --noprofile', setUp: ['source <(hydrant completion bash)'] },
  { name: 'zsh', start: 'zsh', setUp: ['autoload -U compinit && compinit -u', 'source <(hydrant completion zsh)'] },
  { name: 'fish', start: 'fish', setUp: ['hydrant completion fish | source'] },
];

export const completionChapters: readonly Chapter[] = shells.map(({ name, start, setUp }) => [
  `completion in ${name}`,
  async (scene) => {
    if (scene.isInstalled(name)) await complete(scene, name, start, setUp);
    else scene.skip(`${name} is not installed`);
  },
]);

/** What is typed, Tab as often as it takes, and what has to stand there then. */
const cases: readonly (readonly [typed: string, shows: RegExp, tabs?: number])[] = [
  ['hydrant dig', /hydrant digest( |$)/m],
  ['hydrant rule e', /hydrant rule edit( |$)/m],
  ['hydrant tail n', /hydrant tail news/],
  ['hydrant rule show f', /hydrant rule show ferry/],
  ['hydrant tail --js', /hydrant tail --json/],
  ['hydrant watch diff h', /hydrant watch diff http:\/\/127\.0\.0\.1:\d+\/fares/],
  ['hydrant ', /doctor/, 2],
];

/** A shell for each: what one completion has left on the screen is not to be taken for the next. */
async function complete(scene: Scene, name: string, start: string, setUp: readonly string[]): Promise<void> {
  for (const [typed, shows, tabs = 1] of cases) {
    const play = async (shell: Terminal): Promise<void> => {
      for (const command of setUp) await shell.run(command);
      await shell.type(typed);
      for (let tab = 0; tab < tabs; tab += 1) await shell.press('Tab');
      await shell.until(shows, `${typed}<Tab>`);
    };
    await inTerminal(scene, name, play, start);
  }
}
