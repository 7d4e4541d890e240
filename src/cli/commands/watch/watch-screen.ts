import { UsageError } from '../../runtime/failure.ts';
import { wantsColour } from '../../runtime/output.ts';
import { WatchesController } from '../../screens/watches-controller.ts';
import { initialWatches } from '../../screens/watches-model.ts';
import { browse } from '../../runtime/child-processes.ts';
import { canShow, type Session } from '../session.ts';

/** `hydrant watch screen`: the watches on a terminal, what changed last first, and the change beside. */
export async function showScreen(session: Session): Promise<void> {
  const { context, flags, connect } = session;
  if (!canShow(session)) {
    throw new UsageError('the screen needs a terminal', { try: 'hydrant watch list' });
  }
  const { client, connection } = await connect();
  const model = initialWatches({ label: connection.label, watches: await client.watches.list(), now: context.now() });
  const controller = new WatchesController({
    watches: client.watches,
    model,
    now: context.now,
    browse: (url) => browse(url, context.environment, process.platform),
  });
  // Ink and React cost half a second and 45 MB: only who looks at the screen pays for them.
  const { inProduction } = await import('../../screens/production.ts');
  const { showWatches } = await inProduction(async () => import('../../screens/WatchesScreen.tsx'));
  await showWatches({ context, controller, colour: wantsColour(context.io.stdout, context.environment, flags) });
}
