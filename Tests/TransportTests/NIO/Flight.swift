#if NIO
import HTTPTypes
import NIOCore
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import Testing

/// One exchange in a test, with everything that was reported about it.
final class Flight: Sendable {
    let exchange: Exchange
    private let reports: Locked<[String]>

    init(_ delivery: Exchange.Delivery = .collected(limit: 1 << 20)) {
        let reports = Locked([String]())
        self.reports = reports
        exchange = Exchange(delivery: delivery) { report in
            if case .network = report { return reports.withLock { $0.append("network") } }
            reports.withLock { $0.append("\(report)") }
        }
    }

    var log: [String] { reports.withLock { $0 } }
    func count(_ prefix: String) -> Int { log.count { $0.hasPrefix(prefix) } }
}

/// A transport for the length of a test.
func withTransport<Result>(
    _ settings: ConnectionSettings = ConnectionSettings(), _ body: (any Transport) async throws -> Result
) async throws -> Result {
    let transport = try TransportFactory.asyncHTTPClient.makeTransport(settings)
    do {
        let result = try await body(transport)
        await transport.shutdown()
        return result
    } catch {
        await transport.shutdown()
        throw error
    }
}

extension Transport {
    func get(_ url: HTTPURL, _ flight: Flight = Flight()) async throws -> Response {
        try await send(Request(.get, url), exchange: flight.exchange)
    }

    /// The code that a call fails with; `nil` when it succeeds.
    func failure(_ request: Request, _ flight: Flight = Flight()) async -> TarmacError.Code? {
        do {
            _ = try await send(request, exchange: flight.exchange)
            return nil
        } catch { return (error as? TarmacError)?.code }
    }
}

extension Response {
    var stream: ByteStream? { if case .stream(let stream) = body { stream } else { nil } }
}

let ok = NIORawServer.Action.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

/// Gets the text `ok`.
func expectOK(_ transport: any Transport, _ url: HTTPURL, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let text = try await transport.get(url).text
    #expect(text == "ok", sourceLocation: sourceLocation)
}
#endif
