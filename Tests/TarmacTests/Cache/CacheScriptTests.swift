import TarmacTesting
import Testing

@testable import Tarmac

/// RFC 9111, section by section, as one private cache lives it.
@Suite("HTTP caching", .timeLimit(.minutes(5)))
struct CacheScriptTests {
    @Test(arguments: CacheScript.freshness) func freshness(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.dates) func dates(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.heuristics) func heuristics(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.statuses) func statuses(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.directives) func directives(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.reuse) func reuse(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.conditions) func conditions(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.updates) func updates(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.changes) func changes(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.variants) func variants(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.parts) func parts(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.ranges) func ranges(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.odd) func odd(_ script: CacheScript) async throws { try await CacheStage(script).play() }
    @Test(arguments: CacheScript.staleness) func staleness(_ script: CacheScript) async throws { try await CacheStage(script).play() }
}
