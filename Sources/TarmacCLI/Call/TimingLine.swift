#if Tools
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// Where the time of an attempt went and over which connection, in one line (pure). Unknown values are left out.
struct TimingLine {
    var queued: Duration
    var nameResolution, connect, tls, send, wait, receive: Duration?
    var bytesSent: Int64
    var bytesReceived: Int64
    var isReused: Bool?
    var version: String?
    var remoteAddress: String?

    var text: String {
        let spans: [(String, Duration?)] = [
            ("queued", queued), ("dns", nameResolution), ("connect", connect), ("tls", tls), ("sent", send), ("waiting", wait), ("receiving", receive),
        ]
        let connection = [isReused.map { $0 ? "reused connection" : "new connection" }, version, remoteAddress].compactMap(\.self)
        let parts = [
            spans.compactMap { name, span in span.map { "\(name) \($0.shown)" } }, ["\(bytesSent) bytes sent", "\(bytesReceived) received"], connection,
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }.joined(separator: "; ")
    }
}

extension TimingLine {
    init(_ timings: AttemptTimings) {
        self.init(
            queued: timings.queued, nameResolution: timings.nameResolution, connect: timings.connect, tls: timings.tls, send: timings.send,
            wait: timings.wait, receive: timings.receive, bytesSent: timings.bytesSent, bytesReceived: timings.bytesReceived,
            isReused: timings.isReused, version: timings.version.map { "\($0)" }, remoteAddress: timings.remoteAddress)
    }
}

/// The lines of `--verbose` about the events of a call: the lines of the console log, with the connection in the line of an attempt's timings.
struct VerboseLog: EventObserver {
    private let logger: ConsoleLogger
    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
        logger = ConsoleLogger(.everything, write: write)
    }

    func receive(_ event: CallEvent) {
        guard case .attemptTimed(let timings) = event.kind else { return logger.receive(event) }
        write("#\(event.call) \(event.endpoint) attempt \(timings.attempt): \(TimingLine(timings).text)")
    }
}
#endif
