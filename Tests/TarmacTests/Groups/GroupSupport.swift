import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups

/// A call of the group tests: its number is its path, and what it lands as.
struct Item: Endpoint, Encodable {
    typealias Value = Number
    static let route: Route = .get("/items/{id}")
    var id: Int
}

/// Answers items; some fail, some never answer, and it counts how many are with it at most.
final class ItemServer: Sendable {
    let failing: Set<Int>
    let silent: Set<Int>
    private let count = Locked((now: 0, most: 0))
    /// How many requests were called off.
    let calledOff = Watched(0)

    init(failing: Set<Int> = [], silent: Set<Int> = []) {
        self.failing = failing
        self.silent = silent
    }

    /// How many were in flight at once at most.
    var most: Int { count.withLock { $0.most } }

    var stub: StubTransport { StubTransport { request in try await self.answer(request) } }

    private func answer(_ request: Request) async throws -> Response {
        count.withLock { count in
            count.now += 1
            count.most = max(count.most, count.now)
        }
        defer { count.withLock { $0.now -= 1 } }
        let id = Int(request.url.path.split(separator: "/").last ?? "") ?? -1
        if silent.contains(id) { try await hang() }
        for _ in 0..<3 { await Task.yield() }
        return failing.contains(id) ? .json("{}", status: .internalServerError) : .json(#"{"n":\#(id)}"#)
    }

    private func hang() async throws {
        let never = Watched(false)
        do { try await never.wait { $0 } } catch {
            calledOff.update { $0 += 1 }
            throw error
        }
    }
}

/// Keeps what a group tells about its progress.
final class ProgressBoard: Sendable {
    let reports = Watched<[GroupProgress]>([])
    var note: @Sendable (GroupProgress) -> Void { { progress in self.reports.update { $0.append(progress) } } }

    /// Whether it never went back and every report said something new.
    var onlyGrows: Bool {
        zip(reports.value, reports.value.dropFirst()).allSatisfy { $0.completed < $1.completed && $0.failed <= $1.failed && $0.total <= $1.total }
    }
}

extension [Result<Number, any Error>] {
    /// The numbers that landed, and the codes of what failed.
    var texts: [String] {
        map { result in
            switch result {
            case .success(let number): "\(number.n)"
            case .failure(let error as TarmacError): error.code.name
            case .failure(let error): "\(type(of: error))"
            }
        }
    }
}
