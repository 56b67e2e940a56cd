// chart.js: one chart by uPlot: the price, with an area below it, and the smooth line.
/* global uPlot */

const CHART_HEIGHT = 164;

class Chart {
  // label: what the chart shows, for those who do not see it
  constructor(box, digits, label) {
    this.box = box;
    this.digits = digits;
    this.seconds = 30;
    this.data = [[], [], []];
    box.setAttribute('role', 'img');
    box.setAttribute('aria-label', label);
    this.readout = document.createElement('p');
    this.readout.className = 'readout';
    this.readout.setAttribute('aria-hidden', 'true');
    box.append(this.readout);
    this.build();
    new ResizeObserver(() => this.resize()).observe(box);
  }

  axis(more) {
    return {
      stroke: colour('--faint'),
      font: '11px ' + colour('--font'),
      grid: { stroke: colour('--grid'), width: 1 },
      ticks: { show: false },
      ...more,
    };
  }

  line(name, width, fill) {
    return { stroke: colour(name), width, fill, points: { show: false } };
  }

  area(plot) {
    const { top, height } = plot.bbox;
    const fill = plot.ctx.createLinearGradient(0, top, 0, top + height);
    fill.addColorStop(0, colour('--area'));
    fill.addColorStop(1, colour('--area-end'));
    return fill;
  }

  // The line may touch neither the upper nor the lower edge.
  heights(low, high) {
    if (low === null)
      return [0, 1];
    const air = Math.max((high - low) * 0.12, high * 0.0004);
    return [low - air, high + air];
  }

  say(plot) {
    const i = plot.cursor.idx;
    const known = i !== null && i !== undefined && this.data[1][i] !== undefined;
    this.readout.textContent = known
      ? `${clock(this.data[0][i])}  ${this.data[1][i].toFixed(this.digits)}` : '';
  }

  options() {
    const value = v => v.toFixed(this.digits);
    return {
      width: Math.max(160, this.box.clientWidth),
      height: CHART_HEIGHT,
      padding: [22, 6, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { range: () => this.range() },
        y: { range: (_, low, high) => this.heights(low, high) },
      },
      axes: [
        this.axis({ space: 64, size: 26, values: (_, list) => list.map(t => this.moment(t)) }),
        this.axis({ space: 30, size: 58, values: (_, list) => list.map(value) }),
      ],
      series: [{}, this.line('--price', 1.75, plot => this.area(plot)),
        this.line('--smooth', 1.5)],
      hooks: { setCursor: [plot => this.say(plot)] },
    };
  }

  range() {
    const times = this.data[0];
    const end = times.length ? times[times.length - 1] : Date.now() / 1000;
    return [end - this.seconds, end];
  }

  // A label at the right edge would be cut off.
  moment(t) {
    const room = this.seconds * (24 / Math.max(160, this.box.clientWidth - 64));
    return t > this.range()[1] - room ? '' : clock(t);
  }

  build() {
    if (this.plot)
      this.plot.destroy();
    this.plot = new uPlot(this.options(), this.data, this.box);
  }

  resize() {
    const width = Math.max(160, this.box.clientWidth);
    if (this.plot.width !== width)
      this.plot.setSize({ width, height: CHART_HEIGHT });
  }

  show(data, seconds) {
    this.data = data;
    this.seconds = seconds;
    this.plot.setData(data);
  }
}
