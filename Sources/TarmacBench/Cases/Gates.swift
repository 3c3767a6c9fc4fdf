#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacNIO
import TarmacTesting
import TarmacURLSession

/// The seven gates no other Swift client passes in full on Linux.
struct Gates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times the seven gates.", discussion: "A gate that fails ends the command with 1.")
    @Option(help: "nio or urlsession.") var transport: Transport?
    @Flag(help: "Prints JSON.") var json = false

    func run() async throws {
        var results: [GateResult] = []
        for transport in Transport.allCases where self.transport.map({ $0 == transport }) ?? true {
            if !json { print("gates over \(transport.rawValue)") }
            for gate in GateCatalogue.all {
                let result = await gate.result(transport)
                results.append(result)
                if !json { print("  \(result.holds ? "pass" : "FAIL")  \(result.gate): \(result.figure)") }
            }
        }
        if json { print(try Report.json(results)) }
        if !results.allSatisfy(\.holds) { throw ExitCode.failure }
    }
}

extension Transport {
    var factory: TransportFactory {
        switch self {
        case .nio: .asyncHTTPClient
        case .urlsession: .urlSession
        }
    }
}

/// One gate, and what was measured.
struct Gate: Sendable {
    // SAFETY: written by the one gate that runs, read after it.
    final class Figure: @unchecked Sendable {
        var value = ""
    }
    let name: String
    let figure = Figure()
    let check: @Sendable (Client, Figure) async throws -> Bool

    func result(_ transport: Transport) async -> GateResult {
        figure.value = ""
        do {
            let holds = try await withClient(transport: transport.factory, configure: { $0.allowsInsecureHTTP = true }) { try await check($0, figure) }
            return GateResult(transport: transport, gate: name, holds: holds, figure: figure.value)
        } catch { return GateResult(transport: transport, gate: name, holds: false, figure: "\(error)") }
    }
}

/// The result of one gate on one transport.
struct GateResult: Codable {
    var transport: Transport
    var gate: String
    var holds: Bool
    var figure: String
}
#endif
