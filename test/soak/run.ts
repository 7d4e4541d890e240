import { cluster } from './cluster.ts';
import { crash } from './crash.ts';
import { dead } from './dead.ts';
import { hostileClients } from './hostile.ts';
import { hour } from './hour.ts';
import { kills } from './kills.ts';
import { hostilePages } from './pages.ts';
import { list } from './list.ts';
import { model } from './model.ts';
import { polite } from './polite.ts';
import { readers } from './readers.ts';
import { render } from './render.ts';
import { salvageDamages } from './salvage.ts';
import { sinks } from './sinks.ts';
import { versions } from './versions.ts';
import { week } from './week.ts';
import { watchKills } from './watch-kills.ts';

/**
 * `npm run soak -- polite [requests] | kills [pages] | readers [events] | model [steps] |
 * watch-kills [kills] | hour [minutes] | hostile [clients] | week [days] | salvage [stores] | pages [pages] | crash [kills] [seed] |
 * list [minutes] | dead [hosts] |
 * sinks [events] [seed] | render [checks] | cluster [faults] [seed] | versions [pages]`: what takes too long for the
 * tests, which run short forms of some. Ends with 1 where something was found.
 */
const soaks: Record<string, (count: number, seed?: number) => Promise<string[]>> = {
  polite,
  kills,
  readers,
  model,
  'watch-kills': watchKills,
  hour,
  hostile: hostileClients,
  salvage: salvageDamages,
  week,
  pages: hostilePages,
  crash,
  list,
  dead,
  sinks,
  render,
  cluster,
  versions,
};
const usual: Record<string, number> = {
  polite: 100_000,
  kills: 20_000,
  readers: 100_000,
  model: 10_000,
  'watch-kills': 200,
  hour: 60,
  hostile: 10_000,
  salvage: 100,
  week: 7,
  pages: 200,
  crash: 500,
  list: 30,
  dead: 1_000,
  sinks: 100_000,
  render: 200,
  cluster: 300,
  versions: 1_000,
};

const [name = '', count, seed] = process.argv.slice(2);
const soak = soaks[name];
if (soak === undefined) {
  process.stderr.write(`no soak \`${name}\`; there are ${Object.keys(soaks).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const lines = await soak(Number(count ?? usual[name]), seed === undefined ? undefined : Number(seed));
  process.stdout.write(`${lines.join('\n')}\n`);
  if (isFaulty(lines)) process.exitCode = 1;
}

/** `hour` and `week` have more to say than how much was done; what is wrong says so in its first word. */
function isFaulty(lines: readonly string[]): boolean {
  if (name === 'hour' || name === 'week') return lines.some((line) => line.startsWith('FAULT'));
  return lines.length > (name === 'kills' ? 2 : 1);
}
