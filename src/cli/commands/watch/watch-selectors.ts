import { checkPattern, isPattern } from '../../../shared/page/select/ignored-lines.ts';
import { checkSelector } from '../../../shared/page/select/selectors.ts';
import { UsageError } from '../../failure.ts';
import type { OptionFlags } from './watch-options.ts';

/**
 * `--select` and `--ignore` as the daemon would check them: before anything is sent or fetched.
 * @throws {UsageError} with the flag, and what is wrong at which character
 */
export function checkSelectors({ select, ignore }: Pick<OptionFlags, 'select' | 'ignore'>): void {
  for (const selector of select || []) refuseWrong('--select', selector, checkSelector(selector));
  for (const entry of ignore || []) {
    refuseWrong('--ignore', entry, isPattern(entry) ? checkPattern(entry) : checkSelector(entry));
  }
}

function refuseWrong(flag: string, entry: string, sentence: string | undefined): void {
  if (sentence !== undefined) throw new UsageError(`${flag} \`${entry}\`: ${sentence}`);
}
