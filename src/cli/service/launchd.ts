import { MARK, type ServicePlan } from './plan.ts';

export const LABEL = 'hydrant.hydrantd';

/** The property list, as launchd reads it (launchd.plist(5)). */
export function launchdPlist(plan: ServicePlan): string {
  const data = ['--data-dir', plan.dataDir, '--log-file', `${plan.dataDir}/hydrant.log`];
  // The young generation of a thread grows no further: some 40 MB less, at no cost in time.
  const command = [plan.node, '--max-semi-space-size=4', plan.program, ...data];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((text) => `    <string>${escaped(text)}</string>`).join('\n')}
  </array>
${plan.scope === 'system' ? `  <key>UserName</key>\n  <string>${escaped(plan.account)}</string>\n` : ''}  <key>RunAtLoad</key>
  <true/>
  <!-- Again after a crash, and not after a stop. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>65536</integer>
  </dict>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
