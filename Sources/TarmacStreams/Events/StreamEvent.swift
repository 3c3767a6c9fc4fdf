public import TarmacCore
package import TarmacSupport

/// An event of a stream of server-sent events.
public enum StreamEvent: StageEvent {
    /// The connection of an event stream ended, and a new one is opened after a pause. The error is `nil`
    /// if the stream ended normally.
    case reconnecting(after: Duration, because: TarmacError?)

    public func masked(_ mask: (TarmacError) -> TarmacError) -> StreamEvent {
        switch self {
        case .reconnecting(let pause, let error): .reconnecting(after: pause, because: error.map(mask))
        }
    }
}

extension StreamEvent: NotedEvent {
    package var line: EventLine {
        switch self {
        case .reconnecting(let pause, let error): .init("connects again in \(pause.shown): \(error?.code.name ?? "the stream has ended")", .request)
        }
    }

    package var topic: String { "reconnect" }

    package var reasonOfNext: String? {
        switch self {
        case .reconnecting(_, let error): "reconnect: \(error?.code.name ?? "end of stream")"
        }
    }
}
