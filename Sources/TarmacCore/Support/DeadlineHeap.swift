@_spi(TarmacRooms) import TarmacHTTP

/// The time limits of an engine, in one heap with few sleeping tasks instead of a task per wait.
package final class DeadlineHeap: Sendable {
    fileprivate struct State {
        var heap = Heap()
        /// The tasks that sleep, each until an earlier moment than the one before it. The last one wakes first.
        // A sleeper with a later moment goes on: a cancelled sleep keeps its memory until its moment comes.
        var sleepers: [Sleeper] = []
        var latest = 0
        var isStopped = false
    }
    private let state = Locked(State())
    private let time: any TimeSource
    /// Whether waking late means that the process did not run.
    private let canSuspend: Bool

    package init(time: any TimeSource) {
        self.time = time
        canSuspend = time is SystemTime
    }

    /// The time for what has arrived while the process was suspended: its time limits are all over at once, and the answers would not be
    /// read before. `nil` if it was not.
    static func pause(afterWaking late: Duration) -> Duration? { late > .seconds(3) ? .seconds(1) : nil }

    /// Makes a timer that expires at `instant` unless it is stopped before.
    package func add<Watch: DeadlineWatch>(_ watch: Watch, at instant: Moment) -> DeadlineTimer<Watch> {
        let timer = DeadlineTimer(watch, in: self)
        add(timer, at: instant)
        return timer
    }

    fileprivate func add(_ entry: DeadlineEntry, at instant: Moment) {
        let id = state.withLock { state -> Int? in
            if state.isStopped { return nil }
            state.heap.insert(entry, at: instant)
            return state.armIfEarlier(instant)
        }
        if let id { sleep(until: instant, id) }
    }

    fileprivate func remove(_ entry: DeadlineEntry) {
        state.withLock { $0.heap.remove(entry) }
    }

    /// Removes every entry and ends the sleeping tasks.
    package func stop() {
        let (sleepers, _) = state.withLock { state in
            state.isStopped = true
            defer { state.sleepers = [] }
            return (state.sleepers, state.heap.removeAll())
        }
        for sleeper in sleepers { sleeper.task?.cancel() }
    }

    var count: Int { state.withLock { $0.heap.count } }

    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    private func sleep(until instant: Moment, _ id: Int) {
        // LIFETIME: ends at its moment when nothing is left to wait for or another sleeper wakes first, or in `stop()`; it
        // holds the heap only while it works.
        let task = Task.detached { [weak self, time, canSuspend] in
            var next: Moment? = instant
            while let until = next {
                do {
                    try await time.sleep(until: until)
                    if canSuspend, let pause = Self.pause(afterWaking: time.moment - until) { try await time.sleep(until: time.moment + pause) }
                } catch { return }
                next = self?.wake(id)
            }
        }
        let isStopped = state.withLock { state in
            // A sleeper that has ended already is not in the list.
            if let place = state.sleepers.firstIndex(where: { $0.id == id }) { state.sleepers[place].task = task }
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    /// Expires what is due; returns when to wake next.
    private func wake(_ id: Int) -> Moment? {
        let now = time.moment
        guard let due = state.withLock({ $0.wake(id, now) }) else { return nil }
        let again = due.compactMap { entry in entry.expire(now).map { (entry, $0) } }
        return state.withLock { state in
            if state.isStopped { return nil }
            for (entry, instant) in again where !entry.isDone { state.heap.insert(entry, at: instant) }
            return state.sleepAgain(id)
        }
    }
}

/// A task that sleeps until a moment.
private struct Sleeper: Sendable {
    let id: Int
    var instant: Moment
    /// `nil` until the function that made the task stores it, which may be after the task's first moment.
    var task: Task<Void, Never>?
    /// Whether its moment has come. It stays in the list while it works, so that its task is stored and cancelled.
    var isAwake = false
}

extension DeadlineHeap.State {
    /// Whether no sleeper wakes at a moment or before it.
    private func mayArm(_ instant: Moment) -> Bool {
        sleepers.last { !$0.isAwake }.map { $0.instant > instant } ?? true
    }

    /// Removes and returns what is due, or returns `nil` if the heap was stopped.
    fileprivate mutating func wake(_ id: Int, _ now: Moment) -> [DeadlineEntry]? {
        guard !isStopped, let place = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
        sleepers[place].isAwake = true
        return heap.popDue(now)
    }

    /// Returns the next moment of a sleeper that has woken, or removes it if another wakes early enough.
    fileprivate mutating func sleepAgain(_ id: Int) -> Moment? {
        guard let place = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
        var sleeper = sleepers.remove(at: place)
        guard let first = heap.first, mayArm(first) else { return nil }
        sleeper.instant = first
        sleeper.isAwake = false
        sleepers.append(sleeper)
        return first
    }

    /// Returns the number of a new sleeper, or `nil` if one wakes early enough.
    fileprivate mutating func armIfEarlier(_ instant: Moment) -> Int? {
        guard mayArm(instant) else { return nil }
        latest += 1
        sleepers.append(Sleeper(id: latest, instant: instant, task: nil))
        return latest
    }
}

/// An action at a time limit.
package protocol DeadlineWatch: Sendable {
    /// Acts on the end of the time limit. Called without a lock. Returns the next time limit, or `nil` for none.
    func expire(_ now: Moment) -> Moment?

    /// Whether the wait has ended, so that a timer stopped while it expires does not come back. Default: `false`.
    var isDone: Bool { get }
}

extension DeadlineWatch {
    package var isDone: Bool { false }
}

/// A place in a deadline heap. ``DeadlineTimer`` is its only subclass, so that one object holds the place and the
/// watch.
// SAFETY: `index` is touched only under the heap's lock; the rest is constant and Sendable.
package class DeadlineEntry: @unchecked Sendable {
    fileprivate var index = -1
    private let heap: DeadlineHeap

    fileprivate init(in heap: DeadlineHeap) { self.heap = heap }

    /// Starts the time limit, which must not be running.
    package func start(at instant: Moment) { heap.add(self, at: instant) }

    /// Ends the time limit. Does nothing if it is not running.
    package func stop() { heap.remove(self) }

    fileprivate func expire(_ now: Moment) -> Moment? { nil }
    fileprivate var isDone: Bool { true }
}

/// A time limit and its action.
// SAFETY: the watch is constant and Sendable; the rest is the entry's.
package final class DeadlineTimer<Watch: DeadlineWatch>: DeadlineEntry, @unchecked Sendable {
    package let watch: Watch

    package init(_ watch: Watch, in heap: DeadlineHeap) {
        self.watch = watch
        super.init(in: heap)
    }

    override fileprivate func expire(_ now: Moment) -> Moment? { watch.expire(now) }
    override fileprivate var isDone: Bool { watch.isDone }
}

/// A binary heap whose entries know their index. A removed entry leaves an empty node until it is at the top or most
/// nodes are empty: calls that end in the order in which they began would each sink a node through the whole heap.
struct Heap {
    /// The instant is kept beside the entry, so that comparing reads no entry.
    private struct Node {
        let instant: Moment
        var entry: DeadlineEntry?
    }
    private var nodes: [Node] = []
    private(set) var count = 0
    /// The nodes moved so far.
    private(set) var moves = 0

    /// The earliest instant.
    var first: Moment? {
        mutating get {
            while let top = nodes.first, top.entry == nil { removeTop() }
            return nodes.first?.instant
        }
    }

    mutating func insert(_ entry: DeadlineEntry, at instant: Moment) {
        entry.index = nodes.count
        nodes.append(Node(instant: instant, entry: entry))
        count += 1
        siftUp(entry.index)
    }

    mutating func remove(_ entry: DeadlineEntry) {
        let index = entry.index
        guard index >= 0 else { return }
        entry.index = -1
        count -= 1
        nodes[index].entry = nil
        if index == nodes.count - 1 { nodes.removeLast() }
        if nodes.count > 2 * count + 64 { removeEmpty() }
    }

    mutating func popDue(_ now: Moment) -> [DeadlineEntry] {
        var due: [DeadlineEntry] = []
        while let first, first <= now, let entry = nodes[0].entry {
            entry.index = -1
            count -= 1
            removeTop()
            due.append(entry)
        }
        return due
    }

    /// Removes all entries, and returns them.
    mutating func removeAll() -> [DeadlineEntry] {
        let entries = nodes.compactMap(\.entry)
        for entry in entries { entry.index = -1 }
        nodes.removeAll()
        count = 0
        return entries
    }

    /// Removes the empty nodes. It looks at each node once for every removal of half of them.
    private mutating func removeEmpty() {
        // A new array, so that the memory of many nodes is not kept for few.
        nodes = nodes.filter { $0.entry != nil }
        moves += nodes.count
        for index in nodes.indices { nodes[index].entry?.index = index }
        for index in stride(from: nodes.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private mutating func removeTop() {
        let last = nodes.removeLast()
        if nodes.isEmpty { return }
        nodes[0] = last
        last.entry?.index = 0
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard nodes[index].instant < nodes[parent].instant else { return }
            swap(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < nodes.count {
                if nodes[child].instant < nodes[least].instant { least = child }
            }
            if least == index { return }
            swap(index, least)
            index = least
        }
    }

    private mutating func swap(_ a: Int, _ b: Int) {
        moves += 1
        nodes.swapAt(a, b)
        nodes[a].entry?.index = a
        nodes[b].entry?.index = b
    }
}
