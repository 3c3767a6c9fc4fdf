#if canImport(SwiftUI)
import SwiftUI
import Tarmac
import TarmacURLSession

@main
struct TarmacApp: App {
    @StateObject private var model = RepositoryModel(client: Client(transport: .urlSession, services: [.github]))

    var body: some Scene {
        WindowGroup { RepositoryScreen(model: model) }
    }
}
#endif
