@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The log that keeps the calls. Default: none. ``CallLog/off`` switches off the log of a lower layer.
    ///
    /// ```swift
    /// let client = Client(transport: .asyncHTTPClient, services: [.shop]) { $0.log = log }
    /// ```
    /// A call that an interceptor of ``Options/interceptors`` answers does not reach the log.
    public var log: CallLog? {
        get { self[Settings.log] }
        set { self[Settings.log] = newValue }
    }
}

extension Settings {
    package static let log = Setting<CallLog>("log", default: .off) {
        $0.describe = { value in
            value.last == 0 ? "off" : "the last \(value.last) calls, bodies: \(value.bodies)"
        }
        $0.observer = { value, scope in
            value.last == 0 ? nil : CallLogObserver(log: value, client: scope.state(LogClient.self))
        }
        $0.stages = { value, scope in
            if value.last == 0 { return [] }
            let seat = LogSeat(value, LogScope(scope))
            let call = SeatedStage(Seat(.call, order: .min), CallLogStage(seat: seat))
            let wire = SeatedStage(Seat(.signing, order: .max), WireLogStage(seat: seat))
            // Above content coding and the compression of requests, so that the bodies are readable.
            let body = SeatedStage(Seat(.sealing, order: .max - 1), BodyLogStage(log: value))
            return value.bodies == .none ? [call, wire] : [call, body, wire]
        }
    }
}
