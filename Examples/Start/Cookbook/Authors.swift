import HTTPTypes
import Tarmac
import TarmacCore
import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// page: ownstore
/// The unfinished transfers, in a place of your own.
actor TransferTable: TransferStore {
    private var records: [String: Data] = [:]

    func record(for key: String) -> Data? { records[key] }
    func save(_ record: Data, for key: String) { records[key] = record }
    func remove(_ key: String) { records[key] = nil }
    func keys() -> [String] { Array(records.keys) }
}
// page end

// page: owntransport
/// Answers each request with its own body.
struct EchoTransport: Transport {
    let name = "echo"
    let capabilities: TransportCapabilities = []

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        exchange.report(.sentAll)
        exchange.report(.receivedHead)
        return Response(status: .ok, headers: [.contentType: "application/json"], body: .bytes(request.body.buffered ?? .empty), url: request.url)
    }

    func shutdown() async {}
}

let echo = TransportFactory(name: "echo") { _ in EchoTransport() }
// page end

// page: ownstage
/// A setting with a stage: each attempt carries the name of the experiment.
enum Experiment {
    static let setting = Setting<String?>("experiment", default: nil) {
        $0.stage(at: Seat(.preparing)) { value, _ in value.map(Stage.init) }
    }

    struct Stage: Interceptor {
        let experiment: String
        nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
            var request = request
            request.headers[HTTPField.Name("X-Experiment")!] = experiment
            return try await chain.proceed(request)
        }
    }
}

extension Options {
    var experiment: String? {
        get { self[Experiment.setting] ?? nil }
        set { self[Experiment.setting] = newValue }
    }
}
// page end
