#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
import TarmacNIO
import TarmacTesting
import TarmacURLSession

/// The seven gates no other Swift client passes in full on Linux.
struct Gates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Times the seven gates.")
    @Option(help: "nio or urlsession.") var transport: Transport?

    func run() async throws {
        for transport in Transport.allCases where self.transport.map({ $0 == transport }) ?? true {
            print("gates over \(transport.rawValue)")
            for gate in GateCatalogue.all {
                do { print("  \(try await gate.run(transport.factory) ? "pass" : "FAIL")  \(gate.name): \(gate.figure.value)") } catch {
                    print("  FAIL  \(gate.name): \(error)")
                }
            }
        }
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
    final class Figure: @unchecked Sendable {
        // SAFETY: written by the one gate that runs, read after it.
        var value = ""
    }
    let name: String
    let figure = Figure()
    let check: @Sendable (Client, Figure) async throws -> Bool

    func run(_ factory: TransportFactory) async throws -> Bool {
        try await withClient(transport: factory) { try await check($0, figure) }
    }
}
#endif
