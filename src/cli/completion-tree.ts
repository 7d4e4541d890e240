import type { CommandNode, OptionNode } from './completion.ts';

/** A command of the tree with the words that lead to it, and every flag that it takes. */
export interface Place {
  /** `hydrant tap list`. */
  readonly path: string;
  readonly node: CommandNode;
  /** Its own, and those of the root, which may stand anywhere. */
  readonly options: readonly OptionNode[];
}

export function places(root: CommandNode): Place[] {
  const shared = root.options.filter((option) => !option.flags.includes('--version'));
  const below = (node: CommandNode, path: string): Place[] => [
    { path, node, options: node === root ? root.options : union(node.options, shared) },
    ...node.commands.flatMap((child) => below(child, `${path} ${child.name}`)),
  ];
  return below(root, root.name);
}

function union(own: readonly OptionNode[], shared: readonly OptionNode[]): OptionNode[] {
  const taken = new Set(own.flatMap((option) => option.flags));
  return [...own, ...shared.filter((option) => !option.flags.some((flag) => taken.has(flag)))];
}

/** Flags that a value follows, anywhere in the tree: the walk over the typed words steps over both. */
export function valueFlags(all: readonly Place[]): string[] {
  const taking = all.flatMap(({ options }) => options.filter((option) => option.value !== 'none'));
  return [...new Set(taking.flatMap((option) => option.flags))].sort();
}

export const GENERATED = '# Generated from the command tree by `npm run completions`. Changes made here are lost.';
