// Builds panels: sizes, colours, legends, queries.
import * as bargauge from "@grafana/grafana-foundation-sdk/bargauge";
import * as common from "@grafana/grafana-foundation-sdk/common";
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as heatmap from "@grafana/grafana-foundation-sdk/heatmap";
import * as piechart from "@grafana/grafana-foundation-sdk/piechart";
import * as prometheus from "@grafana/grafana-foundation-sdk/prometheus";
import * as stat from "@grafana/grafana-foundation-sdk/stat";
import * as table from "@grafana/grafana-foundation-sdk/table";
import * as timeseries from "@grafana/grafana-foundation-sdk/timeseries";
import * as units from "@grafana/grafana-foundation-sdk/units";

export const kDatasource: dashboard.DataSourceRef = { type: "prometheus", uid: "${datasource}" };

export const kGridWidth = 24;

// Units that the SDK does not name.
export const kElo = "suffix:Elo";
export const kGamesPerSecond = "suffix:games/s";
export const kPliesPerSecond = "suffix:plies/s";

// An expression and the name of its series, such as "{{bot}}".
export type Query = [expression: string, legend: string];

// What every panel has. Operators read the description when a line looks odd.
export interface Face {
  title: string;
  description: string;
  width: number; // of 24 columns
  height?: number;
  unit?: string;
  decimals?: number;
  min?: number;
  max?: number;
}

interface Panel<Self> {
  title(title: string): Self;
  description(description: string): Self;
  datasource(datasource: dashboard.DataSourceRef): Self;
  height(height: number): Self;
  span(width: number): Self;
  unit(unit: string): Self;
  decimals(decimals: number): Self;
  min(min: number): Self;
  max(max: number): Self;
}

function withFace<Builder extends Panel<Builder>>(panel: Builder, face: Face): Builder {
  panel
    .title(face.title)
    .description(face.description)
    .datasource(kDatasource)
    .height(face.height ?? 8)
    .span(face.width)
    .unit(face.unit ?? units.Short);
  if (face.decimals !== undefined) panel.decimals(face.decimals);
  if (face.min !== undefined) panel.min(face.min);
  if (face.max !== undefined) panel.max(face.max);
  return panel;
}

const refId = (index: number) => String.fromCharCode("A".charCodeAt(0) + index);

function rangeQueries(queries: Query[]): prometheus.DataqueryBuilder[] {
  return queries.map(([expression, legend], index) =>
    new prometheus.DataqueryBuilder()
      .refId(refId(index))
      .datasource(kDatasource)
      .expr(expression)
      .legendFormat(legend)
      .range(),
  );
}

function instantQueries(queries: Query[]): prometheus.DataqueryBuilder[] {
  return queries.map(([expression, legend], index) =>
    new prometheus.DataqueryBuilder()
      .refId(refId(index))
      .datasource(kDatasource)
      .expr(expression)
      .legendFormat(legend)
      .instant(),
  );
}

// Colour steps: [[null, "green"], [10, "red"]] is green below 10.
export type Steps = [from: number | null, color: string][];

export function thresholds(steps: Steps): dashboard.ThresholdsConfigBuilder {
  return new dashboard.ThresholdsConfigBuilder()
    .mode(dashboard.ThresholdsMode.Absolute)
    .steps(steps.map(([value, color]) => ({ value, color }) as dashboard.Threshold));
}

export const kPlain: Steps = [[null, "blue"]];
export const kBadAboveZero: Steps = [
  [null, "green"],
  [1e-9, "red"],
];
export const kBadAtZero: Steps = [
  [null, "red"],
  [1, "green"],
];

// Lines over time.
export function lines(face: Face, queries: Query[]): timeseries.PanelBuilder {
  return withFace(new timeseries.PanelBuilder(), face)
    .targets(rangeQueries(queries))
    .lineWidth(2)
    .fillOpacity(8)
    .gradientMode(common.GraphGradientMode.Opacity)
    .lineInterpolation(common.LineInterpolation.Linear)
    .showPoints(common.VisibilityMode.Never)
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(common.LegendDisplayMode.Table)
        .placement(common.LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(["mean", "max", "lastNotNull"]),
    )
    .tooltip(
      new common.VizTooltipOptionsBuilder()
        .mode(common.TooltipDisplayMode.Multi)
        .sort(common.SortOrder.Descending),
    );
}

// Areas on top of each other: parts of a whole.
export function stacked(face: Face, queries: Query[]): timeseries.PanelBuilder {
  return lines({ min: 0, ...face }, queries)
    .fillOpacity(35)
    .lineWidth(1)
    .stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal));
}

function figure(
  face: Face,
  targets: prometheus.DataqueryBuilder[],
  graph: common.BigValueGraphMode,
  steps: Steps,
): stat.PanelBuilder {
  return withFace(new stat.PanelBuilder(), { height: 4, ...face })
    .targets(targets)
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(["lastNotNull"]).fields(""))
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(graph)
    .thresholds(thresholds(steps))
    .noValue("–");
}

// The current or last number, with its history behind it.
export function number(face: Face, query: string, steps: Steps = kPlain): stat.PanelBuilder {
  const targets = rangeQueries([[query, face.title]]);
  return figure(face, targets, common.BigValueGraphMode.Area, steps);
}

// The current number, or nothing.
export function numberNow(face: Face, query: string): stat.PanelBuilder {
  const targets = instantQueries([[query, face.title]]);
  return figure(face, targets, common.BigValueGraphMode.None, kPlain);
}

// The name of the existing series.
export function word(face: Face, query: Query): stat.PanelBuilder {
  return withFace(new stat.PanelBuilder(), { height: 4, ...face })
    .targets(instantQueries([query]))
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(["lastNotNull"]).fields(""))
    .textMode(common.BigValueTextMode.Name)
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(common.BigValueGraphMode.None)
    .thresholds(thresholds(kPlain))
    .noValue("–");
}

// 1 is a green "yes", 0 a red "no".
export function yesOrNo(face: Face, query: Query): stat.PanelBuilder {
  return withFace(new stat.PanelBuilder(), { height: 4, ...face })
    .targets(instantQueries([query]))
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(["lastNotNull"]).fields(""))
    .colorMode(common.BigValueColorMode.Background)
    .graphMode(common.BigValueGraphMode.None)
    .mappings([
      {
        type: dashboard.MappingType.ValueToText,
        options: { "0": { text: "no", index: 0 }, "1": { text: "yes", index: 1 } },
      } as dashboard.ValueMapping,
    ])
    .thresholds(thresholds(kBadAtZero))
    .noValue("–");
}

// A bar for each series' current value.
export function bars(face: Face, query: Query, steps: Steps = kPlain): bargauge.PanelBuilder {
  return withFace(new bargauge.PanelBuilder(), { min: 0, ...face })
    .targets(instantQueries([query]))
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(["lastNotNull"]).fields(""))
    .orientation(common.VizOrientation.Horizontal)
    .displayMode(common.BarGaugeDisplayMode.Gradient)
    .thresholds(thresholds(steps));
}

// Current shares of a whole.
export function shares(face: Face, query: Query): piechart.PanelBuilder {
  return withFace(new piechart.PanelBuilder(), face)
    .targets(instantQueries([query]))
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(["lastNotNull"]).fields(""))
    .pieType(piechart.PieChartType.Donut)
    .legend(
      new piechart.PieChartLegendOptionsBuilder()
        .displayMode(common.LegendDisplayMode.Table)
        .placement(common.LegendPlacement.Right)
        .showLegend(true)
        .values([piechart.PieChartLegendValues.Value, piechart.PieChartLegendValues.Percent]),
    );
}

// A Prometheus histogram over time; `query` gives rates by `le`.
export function buckets(face: Face, query: string): heatmap.PanelBuilder {
  const { unit, ...rest } = face;
  return withFace(new heatmap.PanelBuilder(), rest)
    .withTarget(
      new prometheus.DataqueryBuilder()
        .refId("A")
        .datasource(kDatasource)
        .expr(query)
        .legendFormat("{{le}}")
        .format(prometheus.PromQueryFormat.Heatmap)
        .range(),
    )
    .yAxis(new heatmap.YAxisConfigBuilder().unit(unit ?? units.Short))
    .color(
      new heatmap.HeatmapColorOptionsBuilder()
        .mode(heatmap.HeatmapColorMode.Scheme)
        .scheme("Turbo")
        .steps(64),
    );
}

// A column of a table: its name and the expression, of one label `key`.
export interface Column {
  name: string;
  expression: string;
  unit?: string;
  decimals?: number;
}

// One row per value of the label `key`, sorted by the first column, largest first.
export function rows(face: Face, key: string, columns: Column[]): table.PanelBuilder {
  const renamed: Record<string, string> = { [key]: key };
  const order: Record<string, number> = { [key]: 0 };
  const panel = withFace(new table.PanelBuilder(), face).sortBy([
    new common.TableSortByFieldStateBuilder().displayName(columns[0].name).desc(true),
  ]);
  columns.forEach((column, index) => {
    const value = `Value #${refId(index)}`;
    renamed[value] = column.name;
    order[value] = index + 1;
    panel.withTarget(
      new prometheus.DataqueryBuilder()
        .refId(refId(index))
        .datasource(kDatasource)
        .expr(column.expression)
        .format(prometheus.PromQueryFormat.Table)
        .instant(),
    );
    panel.overrideByName(column.name, [
      { id: "unit", value: column.unit ?? units.Short },
      { id: "decimals", value: column.decimals ?? 0 },
    ]);
  });
  return panel.transformations([
    { id: "merge", options: {} },
    {
      id: "organize",
      options: { excludeByName: { Time: true }, indexByName: order, renameByName: renamed },
    },
  ]);
}

// The p50, p95 and p99 of a histogram over all its labels.
export function quantiles(histogram: string, selector = ""): Query[] {
  const rate = `sum by (le) (rate(${histogram}_bucket${selector}[$__rate_interval]))`;
  return [50, 95, 99].map((percent) => [
    `histogram_quantile(${percent / 100}, ${rate})`,
    `p${percent}`,
  ]);
}
