// Feature switches and the workspace decide which sources the panels read.
import { optional, cached } from './client.js';

const DEFAULTS = { revenue: 'v1', compact: false, poll: 4000 };

export async function loadSettings() {
  const flags = await optional('/api/flags', DEFAULTS);
  const workspace = await cached('/api/workspace');
  const layout = await cached(`/api/workspaces/${workspace.id}/layout`);
  return { flags: { ...DEFAULTS, ...flags }, workspace, layout };
}

export function revenueSource(settings) {
  return settings.flags.revenue === 'v1' ? '/api/v1/revenue' : '/api/v2/revenue/monthly';
}
