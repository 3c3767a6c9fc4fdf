#if Inspector
extension PageScript {
    /// A list of any length, of which only the visible lines are elements.
    static let lists = #"""
        /** The height in pixels up to which browsers lay out a list truly. A longer one scrolls on a smaller scale. */
        const TALLEST = 8e6;
        class VirtualList {
          constructor(container, height, make, fill) {
            Object.assign(this, { container, height, make, fill, count: 0, first: 0, pool: [], waits: false, isOver: false });
            this.list = add(empty(container), element("div", "list")).lastChild;
            this.onScroll = () => this.plan();
            container.addEventListener("scroll", this.onScroll, { passive: true });
            this.observer = new ResizeObserver(() => this.plan());
            this.observer.observe(container);
          }
          setCount(count) {
            this.count = count;
            this.list.style.height = Math.min(count * this.height, TALLEST) + "px";
            this.plan();
          }
          /** How many pixels of all lines one pixel of the scroll bar is. */
          get scale() {
            const view = this.container.clientHeight, all = this.count * this.height;
            return all > TALLEST ? (all - view) / (TALLEST - view) : 1;
          }
          /** The pixels of all lines above the view. */
          get offset() { return this.container.scrollTop * this.scale; }
          set offset(pixels) { this.container.scrollTop = pixels / this.scale; }
          plan() {
            if (this.waits) return;
            this.waits = true;
            requestAnimationFrame(() => { this.waits = false; this.draw(); });
          }
          range() {
            const first = Math.max(0, Math.floor(this.offset / this.height) - 6);
            return [first, Math.min(this.count, first + Math.ceil(this.container.clientHeight / this.height) + 12)];
          }
          draw() {
            if (this.isOver) return;
            const [first, end] = this.range(), shift = this.container.scrollTop - this.offset;
            this.beforeDraw?.(first, end);
            while (this.pool.length < end - first) {
              const line = this.make();
              line.classList.add("item");
              this.pool.push(add(this.list, line).lastChild);
            }
            this.pool.forEach((line, place) => {
              const index = first + place;
              line.hidden = index >= end;
              // A line that is not shown keeps no ID, because another line may have it now.
              if (index >= end) { line.removeAttribute("id"); return; }
              line.style.top = index * this.height + shift + "px";
              this.fill(line, index);
            });
            this.afterDraw?.();
          }
          reveal(index) {
            const top = index * this.height, view = this.container.clientHeight;
            if (top < this.offset) this.offset = top;
            if (top + this.height > this.offset + view) this.offset = top + this.height - view;
            this.plan();
          }
          /** Leaves the container to another list. */
          end() {
            this.isOver = true;
            this.observer.disconnect();
            this.container.removeEventListener("scroll", this.onScroll);
          }
        }

        """#
}
#endif
