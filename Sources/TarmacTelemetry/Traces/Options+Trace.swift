#if Telemetry
@_spi(TarmacRooms) public import TarmacCore
public import Tracing

extension Options {
    /// The trace that the call belongs to. Default: the one that is current when the call starts.
    ///
    /// Set it for a call that starts later than it is made, such as one that waits in a slot:
    ///
    /// ```swift
    /// let trace = ServiceContext.current
    /// search.start(Search(text: text), on: client, owner: self) { $0.trace = trace } landed: { owner, result in … }
    /// ```
    public var trace: ServiceContext? {
        get { self[Settings.trace] ?? nil }
        set { self[Settings.trace] = newValue.map { .some($0) } }
    }

    /// Writes the current trace into the header fields of the call. A call that is stored keeps them, so that an outbox sends it within the
    /// trace in which it was made, also after a restart.
    ///
    /// ```swift
    /// try await outbox.enqueue(PlaceOrder(cart)) { $0.storeTrace(with: telemetry) }
    /// ```
    /// Without a current trace, or without a tracer, it does nothing.
    public mutating func storeTrace(with telemetry: Telemetry) {
        guard let tracer = telemetry.tracer, let current = ServiceContext.current else { return }
        var fields: [String: String] = [:]
        tracer.inject(current, into: &fields, using: TextInjector())
        for (name, value) in fields { headers[name] = value }
    }
}

extension Settings {
    static let trace = Setting<ServiceContext?>("trace", default: nil) {
        $0.describe = { value in value == nil ? "the current one" : "given" }
        // The stage is that of the setting `telemetry`, which reads this one.
        $0.stages = { _, _ in [] }
    }
}

private struct TextInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}
#endif
