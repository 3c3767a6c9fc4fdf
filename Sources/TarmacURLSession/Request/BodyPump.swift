import TarmacCore

/// Decides how the bytes of a body get into a stream that takes only as many as it has room for (pure).
///
/// Each event has one action, and the result of an action is the next event. A write follows the word that there is room, so no write
/// waits.
struct BodyPump {
    enum Event {
        /// The stream has room.
        case room
        /// The body gave this many bytes; 0 at its end.
        case read(Int)
        /// The body cannot be read.
        case unreadable(any Error)
        /// The stream took this many bytes; below 0 when it is broken.
        case wrote(Int)
        /// The session has let go of the stream, or the flight is over.
        case abandoned
    }

    enum Action {
        /// For the next event.
        case wait
        /// Fills the buffer from the body.
        case read
        /// Writes these bytes of the buffer.
        case write(Range<Int>)
        /// Closes the stream behind the last byte of the body. Nothing follows.
        case close
        /// Writes no more, after the flight has failed with the error if there is one. The stream stays open until the task is
        /// over: its end would pass for the end of the body. Nothing follows.
        case stop((any Error)?)
    }

    private var meter: BodyMeter
    /// The bytes of the buffer that the stream has yet to take.
    private var pending = 0..<0
    private(set) var isOver = false

    /// - Parameter declared: the length of the body, which the head of the request names.
    init(declared: Int64?) { meter = BodyMeter(declared: declared) }

    mutating func action(after event: Event) -> Action {
        if isOver { return .wait }
        switch event {
        case .room: return pending.isEmpty ? .read : .write(pending)
        case .read(let count): return take(count)
        case .unreadable(let error): return stop(error)
        case .wrote(let count): return advance(count)
        // The task says why it ended; the flight may have landed.
        case .abandoned: return stop(nil)
        }
    }

    private mutating func take(_ count: Int) -> Action {
        do { try meter.note(count) } catch { return stop(error) }
        if count == 0 { return close() }
        pending = 0..<count
        return .write(pending)
    }

    private mutating func advance(_ count: Int) -> Action {
        // The task fails by itself, with the reason.
        if count < 0 { return stop(nil) }
        pending = min(pending.lowerBound + count, pending.upperBound)..<pending.upperBound
        // A session that has read the declared length may not ask for more, so the end of the body is read without a request.
        return pending.isEmpty && meter.sent == meter.declared ? .read : .wait
    }

    private mutating func close() -> Action {
        isOver = true
        return .close
    }

    private mutating func stop(_ error: (any Error)?) -> Action {
        isOver = true
        return .stop(error)
    }
}
