/**
 * Loads what draws. React chooses one of its two builds by NODE_ENV while it is loaded, and that for development
 * measures each frame into a list of Node's that nobody empties: it grows as long as the screen is open. Nothing else
 * is told: commands that we start get the environment as it was.
 */
export async function inProduction<Module>(load: () => Promise<Module>): Promise<Module> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    return await load();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}
