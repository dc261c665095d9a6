import { Emitter } from '/assets/lib/emitter.js';

export class ScheduleStore extends Emitter {
  state = { night: null, blocks: [], summary: null, moon: null, observer: '', loading: false };

  patch(part) {
    this.state = { ...this.state, ...part };
    this.emit('change', this.state);
  }

  get visible() {
    const { blocks, observer } = this.state;
    return observer ? blocks.filter(block => block.observer === observer) : blocks;
  }

  get observers() {
    return [...new Set(this.state.blocks.map(block => block.observer))].sort();
  }

  get minutes() {
    return this.visible.reduce((sum, block) => sum + block.minutes, 0);
  }
}
