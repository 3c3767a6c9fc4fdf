import Foundation
#if canImport(FoundationXML)
import FoundationXML
#endif

extension XMLTree {
    /// Parses a document by Foundation's `XMLParser`. Nothing outside the document is read, and a document type declaration
    /// with declarations in it is refused.
    ///
    /// - Throws: ``XMLFault`` with line and column.
    public init(parsing text: String, limits: XMLLimits = XMLLimits()) throws(XMLFault) {
        let document = XMLProlog.withoutDeclaration(text)
        guard !XMLProlog.declaresTypes(document) else {
            throw XMLFault(reason: "the document declares types or entities, which is refused")
        }
        let builder = XMLTreeBuilder(limits: limits)
        let parser = XMLParser(data: Data(document.utf8))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = builder
        let isWhole = parser.parse()
        if let fault = builder.fault { throw fault }
        // On Linux what stands behind the root element is an error, and yet parsing has succeeded.
        guard isWhole, parser.parserError == nil, let root = builder.root else {
            throw XMLFault(reason: "the document is not well-formed", line: parser.lineNumber, column: parser.columnNumber)
        }
        self = root
    }
}

/// Makes a tree of what a parser finds.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private struct Open {
        let name: String
        let attributes: [String: String]
        var children: [XMLTree] = []
        var text = ""
    }

    private let limits: XMLLimits
    private var open: [Open] = []
    private var count = 0
    private(set) var root: XMLTree?
    private(set) var fault: XMLFault?

    init(limits: XMLLimits) { self.limits = limits }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]
    ) {
        count += 1
        if open.count >= limits.depth { return stop(parser, "elements stand deeper than \(limits.depth)") }
        if count > limits.elements { return stop(parser, "there are more than \(limits.elements) elements") }
        open.append(Open(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        let tree = XMLTree(element.name, attributes: element.attributes, children: element.children, text: element.text)
        if open.isEmpty { root = tree } else { open[open.count - 1].children.append(tree) }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if !open.isEmpty { open[open.count - 1].text += text }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
    }

    private func stop(_ parser: XMLParser, _ reason: String) {
        if fault == nil { fault = XMLFault(reason: reason, line: parser.lineNumber, column: parser.columnNumber) }
        parser.abortParsing()
    }
}
