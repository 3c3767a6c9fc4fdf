@_spi(TarmacRooms) import TarmacCore

/// The change that an event makes to the interval of its call.
enum CallIntervalStep {
    case begin
    case end

    init?(_ kind: CallEvent.Kind) {
        switch kind {
        case .started: self = .begin
        case .landed, .failed, .cancelled: self = .end
        default: return nil
        }
    }
}

/// The open intervals of calls. Each begins once and ends once, whatever the order of events is.
final class CallIntervals<State: Sendable>: Sendable {
    private struct Key: Hashable {
        let call: UInt64
        let service: String
        let endpoint: String

        init(_ event: CallEvent) { (call, service, endpoint) = (event.call, event.service, event.endpoint) }
    }

    private let open = Locked<[Key: State]>([:])

    func begin(_ event: CallEvent, _ state: State) { open.withLock { if $0[Key(event)] == nil { $0[Key(event)] = state } } }
    func end(_ event: CallEvent) -> State? { open.withLock { $0.removeValue(forKey: Key(event)) } }

    var count: Int { open.withLock { $0.count } }
}
