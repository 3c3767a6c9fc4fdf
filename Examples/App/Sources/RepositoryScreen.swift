#if canImport(SwiftUI)
import SwiftUI

struct RepositoryScreen: View {
    @ObservedObject var model: RepositoryModel

    var body: some View {
        NavigationStack {
            List {
                if let failure = model.failure { Text(failure).foregroundStyle(.red) }
                ForEach(model.repositories) { RepositoryRow(repository: $0) }
            }
            .navigationTitle("Swift")
            .refreshable { await model.load() }
            .task { await model.load() }
            .toolbar {
                ToolbarItem {
                    if model.isLoading { ProgressView() } else { Button("Reload") { Task { await model.load() } } }
                }
            }
        }
    }
}

struct RepositoryRow: View {
    let repository: Repository

    var body: some View {
        VStack(alignment: .leading) {
            Text(repository.name).font(.headline)
            if let description = repository.description { Text(description).font(.subheadline).foregroundStyle(.secondary) }
        }
    }
}
#endif
