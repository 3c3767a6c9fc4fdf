import HTTPTypes
import TarmacTesting

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// Whether the calls of a client with these settings pass a stage; `nil` if the client cannot tell.
func hasStage<Stage: Interceptor>(_ type: Stage.Type, configure: (inout Options) -> Void = { _ in }) -> Bool? {
    let client = Client(transport: .stub { _ in .status(.ok) }, configure: configure)
    // A client that nothing holds shuts its engine down.
    defer { withExtendedLifetime(client) {} }
    return try? client.engine.runtime(.clientDefault).options.plan.stages.contains { $0 is Stage }
}
