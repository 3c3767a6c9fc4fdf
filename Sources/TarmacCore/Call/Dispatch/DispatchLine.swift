/// Who may fly and who waits: bounded, by priority, first come first served within one, and fair to the lowest (pure).
struct DispatchLine<Ticket> {
    private let limit: Int
    private(set) var inFlight = 0
    private var queues = CallPriority.allCases.map { _ in Queue<Ticket>() }
    /// Those that flew before and are sent again: ahead of all, and no more than once flew together.
    private var replays = Queue<Ticket>()
    /// How many replays are on their way here: slots are kept for them.
    private(set) var expected = 0
    /// How often in a row a lower priority was passed over.
    private var passedOver = 0
    /// How many of those who wait may be gone.
    private var abandoned = 0
    /// After so many a lower one goes first.
    private static var patience: Int { 4 }

    init(limit: Int) { self.limit = max(1, limit) }

    var waiting: Int { queues.reduce(replays.count) { $0 + $1.count } }

    /// Takes a slot if one is free and nobody is ahead, or if it was kept; a place that finds none is kept on until it waits.
    ///
    /// New calls stand behind all replays that are on their way: a token may be good for few uses, and a replay whose thread
    /// comes late would be refused over and over.
    mutating func enter(isExpected: Bool = false, isReplay: Bool = false) -> Bool {
        guard inFlight < limit, isExpected || isOpen(toReplay: isReplay) else { return false }
        if isExpected { expected -= 1 }
        inFlight += 1
        return true
    }

    private func isOpen(toReplay isReplay: Bool) -> Bool {
        isReplay ? inFlight + expected < limit && replays.count == 0 : expected == 0 && waiting == 0
    }

    /// Keeps a slot, the next one when none is free, for a replay that is about to enter.
    mutating func expect() { expected += 1 }

    /// The replay does not come.
    mutating func cease() { expected -= 1 }

    /// Who goes now that a replay has come or does not: of those who stood behind it, as long as slots are free.
    mutating func next() -> Ticket? {
        guard inFlight < limit, expected == 0 || replays.count > 0 && inFlight + expected < limit, let next = pop() else { return nil }
        inFlight += 1
        return next
    }

    mutating func wait(_ ticket: Ticket, priority: CallPriority, isReplay: Bool = false) {
        if isReplay { replays.append(ticket) } else { queues[priority.rawValue].append(ticket) }
    }

    /// Gives a slot back; returns who takes it over, if anyone waits.
    mutating func leave() -> Ticket? {
        if replays.count > 0 || expected == 0, let next = pop() { return next }
        inFlight -= 1
        return nil
    }

    /// Notes that one of those who wait is gone. Their places are cleared once they are half of the line, so that a line
    /// which stands still does not grow, and leaving costs little.
    mutating func abandon(_ isGone: (Ticket) -> Bool) {
        abandoned += 1
        guard abandoned >= 64, abandoned * 2 >= waiting else { return }
        abandoned = 0
        replays.removeAll(where: isGone)
        for index in queues.indices { queues[index].removeAll(where: isGone) }
    }

    /// Everyone who waits, in order; nobody waits afterwards.
    mutating func removeAll() -> [Ticket] {
        var tickets: [Ticket] = []
        while let ticket = pop() { tickets.append(ticket) }
        return tickets
    }

    private mutating func pop() -> Ticket? {
        if replays.count > 0 { return replays.popFirst() }
        guard let lowest = queues.firstIndex(where: { $0.count > 0 }), let highest = queues.lastIndex(where: { $0.count > 0 }) else { return nil }
        let isLowestsTurn = lowest < highest && passedOver >= Self.patience
        passedOver = lowest < highest && !isLowestsTurn ? passedOver + 1 : 0
        return queues[isLowestsTurn ? lowest : highest].popFirst()
    }
}

/// First in, first out, without moving the rest.
private struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeAll(where isGone: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map { !isGone($0) } ?? false }
        head = 0
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head > 64, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
