#if canImport(SwiftUI)
public import SwiftUI

/// The calls of a log, live, for a menu that only developers see.
///
/// ```swift
/// NavigationStack { CallLogView(log) }
/// ```
/// It shows what the log gives, with secrets masked. The words can be translated in the app's string catalog.
public struct CallLogView: View {
    private let log: CallLog
    @State private var pages: [CallPage] = []
    @State private var search = ""

    public init(_ log: CallLog) { self.log = log }

    public var body: some View {
        List(shown) { page in
            NavigationLink {
                CallPageView(page: page)
            } label: {
                VStack(alignment: .leading) {
                    Text(verbatim: page.title).font(.footnote.monospaced()).lineLimit(2)
                    Text(verbatim: page.summary).font(.caption).foregroundStyle(page.outcome.color)
                }
            }
        }
        .searchable(text: $search)
        .navigationTitle("Calls")
        .toolbar { ToolbarItem { Button("Clear") { log.clear() } } }
        .task { await log.followPages(every: .milliseconds(250)) { pages = $0 } }
    }

    private var shown: [CallPage] {
        let filter = CallLog.Filter(text: search)
        return search.isEmpty ? pages : pages.filter { filter.matches($0.entry) }
    }
}

private struct CallPageView: View {
    let page: CallPage

    var body: some View {
        let sections = page.sections
        // Two fields may be equal, so lines and sections have their places as identities.
        List {
            ForEach(sections.indices, id: \.self) { place in CallSectionView(section: sections[place]) }
        }
        .navigationTitle(page.entry.endpoint)
        #if !os(tvOS)
        .toolbar { ToolbarItem { ShareLink(item: page.entry.curl ?? page.title) } }
        #endif
    }
}

private struct CallSectionView: View {
    let section: CallPage.Section

    var body: some View {
        Section(section.title) {
            ForEach(section.lines.indices, id: \.self) { place in
                VStack(alignment: .leading) {
                    Text(verbatim: section.lines[place].name).font(.caption).foregroundStyle(.secondary)
                    Text(verbatim: section.lines[place].value).font(.footnote.monospaced())
                }
            }
            if let text = section.text { Text(verbatim: text).font(.footnote.monospaced()) }
        }
    }
}

extension CallPage.Outcome {
    fileprivate var color: Color {
        switch self {
        case .flying: .blue
        case .landed: .green
        case .refused: .orange
        case .failed: .red
        case .cancelled: .gray
        }
    }
}
#endif
