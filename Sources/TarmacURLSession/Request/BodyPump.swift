import TarmacCore

/// Decides how the bytes of a body are written to a stream with limited room.
///
/// Each event has one action, and the result of an action is the next event. A write happens only after the
/// stream reported room, so no write waits.
struct BodyPump {
    enum Event {
        /// The stream has room.
        case room
        /// The body returned this many bytes, or 0 at its end.
        case read(Int)
        /// The body cannot be read.
        case unreadable(any Error)
        /// The stream took this many bytes. A negative number means that it failed.
        case wrote(Int)
        /// The session released the stream, or the exchange is over.
        case abandoned
    }

    enum Action {
        /// Waits for the next event.
        case wait
        /// Fills the buffer from the body.
        case read
        /// Writes these bytes of the buffer.
        case write(Range<Int>)
        /// Closes the stream after the last byte of the body. Nothing follows.
        case close
        /// Stops writing, after the exchange has failed with the error if there is one. The stream stays open
        /// until the task is over, because its end would pass for the end of the body. Nothing follows.
        case stop((any Error)?)
    }

    private var meter: BodyMeter
    /// The bytes of the buffer that the stream has not taken yet.
    private var pending = 0..<0
    private(set) var isOver = false

    /// - Parameter declared: the length of the body in the head of the request.
    init(declared: Int64?) { meter = BodyMeter(declared: declared) }

    mutating func action(after event: Event) -> Action {
        if isOver { return .wait }
        switch event {
        case .room: return pending.isEmpty ? .read : .write(pending)
        case .read(let count): return take(count)
        case .unreadable(let error): return stop(error)
        case .wrote(let count): return advance(count)
        // The task reports why it ended, and the exchange may already have a result.
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
        // The task fails by itself and reports the reason.
        if count < 0 { return stop(nil) }
        pending = min(pending.lowerBound + count, pending.upperBound)..<pending.upperBound
        // A session that has read the declared length may not ask for more, so the end of the body is read
        // without a request.
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
