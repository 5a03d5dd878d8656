// Builds what all dashboards share: variables, links, rows.
import * as cog from "@grafana/grafana-foundation-sdk/cog";
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";

import { kDatasource, kGridWidth } from "./panels";

export interface Row {
  title: string;
  // Laid out from left to right; each line of them is 24 columns wide.
  panels: cog.Builder<dashboard.Panel>[];
}

interface About {
  uid: string;
  title: string;
  description: string;
  variables?: cog.Builder<dashboard.VariableModel>[];
  rows: Row[];
}

export function queryVariable(
  name: string,
  label: string,
  query: string,
): dashboard.QueryVariableBuilder {
  return new dashboard.QueryVariableBuilder(name)
    .label(label)
    .datasource(kDatasource)
    .query({ query, refId: name })
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
    .sort(dashboard.VariableSort.NumericalDesc);
}

// Gives every panel a fixed position and number, so that links to it stay valid.
function place(rows: Row[]): dashboard.Panel[] {
  const placed: dashboard.Panel[] = [];
  let y = 0;
  const add = (panel: object, gridPos: dashboard.GridPos) =>
    placed.push({ ...panel, id: placed.length + 1, gridPos } as dashboard.Panel);
  for (const row of rows) {
    add(new dashboard.RowBuilder(row.title).build(), { x: 0, y, w: kGridWidth, h: 1 });
    y += 1;
    let x = 0;
    let lineHeight = 0;
    for (const builder of row.panels) {
      const panel = builder.build();
      const { w, h } = panel.gridPos!;
      if (x + w > kGridWidth) {
        if (x !== kGridWidth) throw new Error(`row "${row.title}": a line is ${x} columns wide`);
        x = 0;
        y += lineHeight;
        lineHeight = 0;
      }
      add(panel, { x, y, w, h });
      x += w;
      lineHeight = Math.max(lineHeight, h);
    }
    if (x !== kGridWidth) throw new Error(`row "${row.title}": the last line is ${x} columns wide`);
    y += lineHeight;
  }
  return placed;
}

export function frame(about: About): dashboard.Dashboard {
  const builder = new dashboard.DashboardBuilder(about.title)
    .uid(about.uid)
    .description(about.description)
    .tags(["triarch"])
    .timezone("browser")
    .time({ from: "now-30m", to: "now" })
    .refresh("10s")
    .tooltip(dashboard.DashboardCursorSync.Crosshair)
    .link(
      new dashboard.DashboardLinkBuilder("Triarch")
        .type(dashboard.DashboardLinkType.Dashboards)
        .tags(["triarch"])
        .asDropdown(false)
        .keepTime(true)
        .includeVars(false),
    )
    .withVariable(
      new dashboard.DatasourceVariableBuilder("datasource").label("Prometheus").type("prometheus"),
    );
  for (const variable of about.variables ?? []) builder.withVariable(variable);
  return { ...builder.build(), panels: place(about.rows) };
}
