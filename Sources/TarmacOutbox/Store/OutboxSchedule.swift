#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The first entries of the lanes of one environment, by the time when they may be sent, so that a lease costs the same
/// with one lane and with thousands.
///
/// A first entry that is new or has changed is ready, which means: to be judged. The verdict makes it wait until a date,
/// at which it is ready again. Verdicts depend on the clock in one more way: a date too far ahead was set by a clock that
/// has been set back since. When the clock goes back, all entries are ready again.
struct OutboxSchedule {
    private enum Place: Equatable {
        case ready
        /// For the end of a pause that a lease may ignore.
        case paused(Date)
        /// For the end of another entry's lease or of a pause that the server asked for.
        case waiting(Date)
        /// Until the entry changes: a dead letter holds the lane, or its turn has been taken.
        case held
    }

    private var places: [Int: Place] = [:]
    // Each may hold turns that no longer agree with `places`; those are skipped.
    private var ready = OutboxTurns()
    private var paused = OutboxTurns()
    private var waiting = OutboxTurns()
    private var latest = Date.distantPast
    private var longestPause = Duration.zero

    /// The earliest date at which a waiting entry is ready.
    var nextDate: Date? {
        mutating get {
            dropStale()
            return [paused.first?.date, waiting.first?.date].compactMap { $0 }.min()
        }
    }

    /// The number of turns, including those that no longer hold.
    var turnCount: Int { ready.count + paused.count + waiting.count }

    // MARK: First entries

    /// Adds the first entry of a lane, or notes that it has changed.
    mutating func add(_ number: Int) {
        guard places[number] != .ready else { return }
        places[number] = .ready
        ready.insert(OutboxTurn(date: .distantPast, number: number))
    }

    /// Notes that an entry has changed, if it is the first of its lane.
    mutating func noteChange(of number: Int) {
        if places[number] != nil { add(number) }
    }

    /// Removes an entry that is not the first of its lane any more.
    mutating func remove(_ number: Int) {
        places[number] = nil
        dropStale()
    }

    /// Lets an entry wait until a date.
    mutating func wait(_ number: Int, until date: Date, isPause: Bool) {
        places[number] = isPause ? .paused(date) : .waiting(date)
        let turn = OutboxTurn(date: date, number: number)
        if isPause { paused.insert(turn) } else { waiting.insert(turn) }
    }

    // MARK: Time

    /// Makes the entries ready whose date has come, and with `ignoresPauses` those that pause.
    mutating func advance(_ lease: OutboxLease) {
        if lease.now + 1 < latest || lease.longestPause != longestPause {
            for number in places.keys { add(number) }
            latest = lease.now
        }
        longestPause = lease.longestPause
        latest = max(latest, lease.now)
        let pauseEnd = lease.ignoresPauses ? Date.distantFuture : lease.now
        while let turn = paused.first, turn.date <= pauseEnd { revive(paused.removeFirst(), .paused(turn.date)) }
        while let turn = waiting.first, turn.date <= lease.now { revive(waiting.removeFirst(), .waiting(turn.date)) }
    }

    private mutating func revive(_ turn: OutboxTurn, _ place: Place) {
        if places[turn.number] == place { add(turn.number) }
    }

    /// Takes the turn of the oldest ready entry. It has another one after ``add(_:)`` or ``wait(_:until:isPause:)``.
    mutating func takeReady() -> Int? {
        while let turn = ready.first {
            ready.removeFirst()
            guard places[turn.number] == .ready else { continue }
            places[turn.number] = .held
            return turn.number
        }
        return nil
    }

    // MARK: Stale turns

    private mutating func dropStale() {
        while let turn = paused.first, places[turn.number] != .paused(turn.date) { paused.removeFirst() }
        while let turn = waiting.first, places[turn.number] != .waiting(turn.date) { waiting.removeFirst() }
        guard turnCount > 2 * places.count + 64 else { return }
        let places = places
        ready.keep { places[$0.number] == .ready }
        paused.keep { places[$0.number] == .paused($0.date) }
        waiting.keep { places[$0.number] == .waiting($0.date) }
    }
}

/// A date and the number of an entry, ordered by both.
struct OutboxTurn: Comparable {
    let date: Date
    let number: Int

    static func < (left: OutboxTurn, right: OutboxTurn) -> Bool {
        left.date == right.date ? left.number < right.number : left.date < right.date
    }
}

/// A binary heap with the earliest turn first.
struct OutboxTurns {
    private var turns: [OutboxTurn] = []

    var first: OutboxTurn? { turns.first }
    var count: Int { turns.count }

    mutating func insert(_ turn: OutboxTurn) {
        turns.append(turn)
        var place = turns.count - 1
        while place > 0, turns[place] < turns[(place - 1) / 2] {
            turns.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    @discardableResult
    mutating func removeFirst() -> OutboxTurn {
        turns.swapAt(0, turns.count - 1)
        let first = turns.removeLast()
        sink(0)
        return first
    }

    /// Keeps the turns that meet a condition.
    mutating func keep(_ isKept: (OutboxTurn) -> Bool) {
        turns = turns.filter(isKept)
        for place in stride(from: turns.count / 2, through: 0, by: -1) { sink(place) }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < turns.count && turns[child] < turns[least] { least = child }
            if least == place { return }
            turns.swapAt(place, least)
            place = least
        }
    }
}
