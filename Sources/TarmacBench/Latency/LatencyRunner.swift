#if Tools
import ArgumentParser
import Foundation

/// The clients that are compared. Each round of one is a process of its own.
enum LatencyClient: String, CaseIterable, Codable {
    case tarmacNIO = "tarmac-nio", asyncHTTPClient = "nio", tarmacURLSession = "tarmac-urlsession", urlSession = "urlsession", libcurl

    var contender: (any Contender)? {
        switch self {
        case .tarmacNIO: Transport.nio.tarmac()
        case .asyncHTTPClient: Transport.nio.raw()
        case .tarmacURLSession: Transport.urlsession.tarmac()
        case .urlSession: Transport.urlsession.raw()
        // A program in C, scripts/support/curl.c.
        case .libcurl: nil
        }
    }
}

extension LatencyClient: ExpressibleByArgument {}

/// The ways to the server.
enum LatencyWire: String, CaseIterable, Codable {
    case http1, tls, http2

    var title: String {
        switch self {
        case .http1: "HTTP/1.1"
        case .tls: "HTTP/1.1 over TLS"
        case .http2: "HTTP/2"
        }
    }
}

extension LatencyWire: ExpressibleByArgument {}

/// Runs rounds of each client in turn.
struct LatencyRunner {
    let loop: OpenLoop
    let executable: String
    /// The program of libcurl.
    let curl: String

    /// - Parameter url: the address over that wire.
    func measure(_ wire: LatencyWire, url: String, rounds: Int) throws -> LatencyResult {
        var samples: [LatencyClient: [LatencySample]] = [:]
        let clients = LatencyClient.allCases
        for round in 0..<rounds {
            // Each round begins with another, so that what else the machine does falls on all.
            for index in clients.indices {
                let client = clients[(index + round) % clients.count]
                samples[client, default: []].append(try sample(client, wire, url))
            }
        }
        return LatencyResult(wire: wire, rate: loop.rate, seconds: loop.seconds, rounds: rounds, samples: samples)
    }

    private func sample(_ client: LatencyClient, _ wire: LatencyWire, _ url: String) throws -> LatencySample {
        let settings = ["\(loop.rate)", "\(loop.seconds)", "\(OpenLoop.warmUp)"]
        let arguments =
            client == .libcurl
            ? [url, wire == .http2 ? "2" : "1.1"] + settings
            : ["latency-client", client.rawValue, url, "--rate", settings[0], "--seconds", settings[1]]
        guard let data = try ChildProcess.output(of: client == .libcurl ? curl : executable, arguments) else { throw ExitCode.failure }
        return try JSONDecoder().decode(LatencySample.self, from: data)
    }
}
#endif
