import TarmacCore
import TarmacTransfer

extension OutboxCall {
    /// Returns the account that an attempt would use now; `nil` if no user is logged in, or if logins have no accounts.
    ///
    /// - Parameter request: The request built from the mutation, in its runtime.
    /// - Throws: `TarmacError` or `CancellationError` if the token store does not answer.
    static func account(_ entry: OutboxEntry, for request: Request, in runtime: ServiceRuntime, _ options: Options) async throws -> String? {
        let call = OutboxCall(service: runtime.service, endpointName: entry.mutation?.endpoint ?? "")
        let context = Flight.makeContext(
            FlightPlan(call), id: 0, runtime: runtime, binding: .none, delivery: .buffered, call: options, progress: nil)
        return try await context.accountToStore(for: request)
    }
}
