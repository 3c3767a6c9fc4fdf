#if canImport(SwiftUI)
import Combine
import Tarmac

/// What the screen shows.
@MainActor
final class RepositoryModel: ObservableObject {
    @Published private(set) var repositories: [Repository] = []
    /// A sentence for the user; `nil` while all is well.
    @Published private(set) var failure: String?
    @Published private(set) var isLoading = false
    private let client: Client

    init(client: Client) { self.client = client }

    /// Loads the list. The call ends with the task that runs it, so a screen that goes ends its request.
    func load() async {
        isLoading = true
        defer { isLoading = false }
        do {
            repositories = try await client.send(ListRepositories(organization: "swiftlang"))
            failure = nil
        } catch let error as TarmacError {
            failure = error.userMessage
        } catch {
            // CancellationError, and nothing else: the screen has gone.
        }
    }
}
#endif
