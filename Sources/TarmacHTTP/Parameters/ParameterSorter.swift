package import HTTPTypes

/// Puts each parameter in its place: the template, the query, a header field or the body.
package struct ParameterSorter {
    private let template: URITemplate
    // Few, so that looking through them is faster than hashing.
    private var inTemplate: [Parameter] = []
    private var inQuery = ParameterList()
    private var inHeaders: [Parameter] = []
    private var inBody = ParameterList()
    private var wholeBody: Parameter?
    /// The body that the call has without its parameters. A form takes them as fields.
    private let ownBody: Body?

    /// - Parameter given: the parameters before any transform. A signature that a transform adds may be in a query.
    package init(
        _ parameters: ParameterList, given: ParameterList, method: HTTPRequest.Method, template: URITemplate, ownBody: Body?
    ) throws(TarmacError) {
        (self.template, self.ownBody) = (template, ownBody)
        let names = template.variableNames
        let mayHaveBody = ![.get, .head, .delete, .options].contains(method)
        let restIsBody = (ownBody == nil || ownBody?.form != nil) && mayHaveBody
        for parameter in parameters {
            try place(parameter, isNamed: names.contains(parameter.name), restIsBody: restIsBody)
        }
        if let ownBody, let lost = wholeBody ?? (ownBody.form == nil ? inBody.first : nil) {
            throw TarmacError(
                .invalidParameter, "\(lost.name) is placed in the body, and the call has a body of its own",
                suggestion: "place it with @Query or @Header, or send a multipart form with @Field", path: lost.name)
        }
        // Servers and proxies record queries.
        if ownBody != nil, !restIsBody, let secret = inQuery.first(where: { $0.placement == .automatic && $0.holdsSecret && given[$0.name] != nil }) {
            throw TarmacError(
                .invalidParameter, "\(secret.name) is a secret, and has no place beside the body that the call has of its own",
                suggestion: "place it with @Header, or with @Query if it may be in the URL", path: secret.name)
        }
        if let wholeBody, !inBody.isEmpty {
            throw TarmacError(
                .invalidParameter, "\(wholeBody.name) is the whole body, and \(inBody.map(\.name).joined(separator: ", ")) would be in it too",
                suggestion: "place the others with @Query or @Header", path: wholeBody.name)
        }
    }

    private mutating func place(_ parameter: Parameter, isNamed: Bool, restIsBody: Bool) throws(TarmacError) {
        switch parameter.placement {
        case .path where !isNamed:
            throw TarmacError(
                .invalidParameter, "\(parameter.name) is placed in the path, but the template \(template) does not name it",
                suggestion: "write {\(parameter.name)} into the template", path: parameter.name)
        case .path: inTemplate.append(parameter)
        case .automatic where isNamed, .query where isNamed: inTemplate.append(parameter)
        case .header: inHeaders.append(parameter)
        case .body: wholeBody = parameter
        case .field: inBody.append(parameter)
        case .query: inQuery.append(parameter)
        case .automatic: if restIsBody { inBody.append(parameter) } else { inQuery.append(parameter) }
        }
    }

    // MARK: URL

    /// Returns the URL: the base, the expanded template and the query's parameters.
    ///
    /// - Parameter redactor: the names whose values are never shown, in addition to secret parameters.
    package func url(base: HTTPURL?, query: QueryEncoder, redactor: Redactor) throws(TarmacError) -> HTTPURL {
        let encoded = inQuery.isEmpty ? "" : try query.encode(inQuery)
        let url = try Self.url(template, TemplateFields(parameters: inTemplate, query: query), base, encoded)
        if inTemplate.isEmpty { return url }
        let isSecret: (Parameter) -> Bool = { $0.isSecret || redactor.isSecret($0.name) }
        guard inTemplate.contains(where: isSecret) else { return url }
        // The same template with the secrets masked, for code that shows the URL.
        let masked = TemplateFields(parameters: inTemplate.map { isSecret($0) && !$0.value.isNull ? Parameter($0.name, "masked") : $0 }, query: query)
        return url.showing(path: try Self.url(template, masked, base, "").path)
    }

    /// The parameters of the template's variables.
    private struct TemplateFields {
        let parameters: [Parameter]
        let query: QueryEncoder

        func value(_ name: String) throws(TarmacError) -> TemplateValue? {
            guard let parameter = parameters.last(where: { $0.name == name }) else { return nil }
            return try query.templateValue(of: parameter.value, named: name)
        }
    }

    private static func url(_ template: URITemplate, _ fields: TemplateFields, _ base: HTTPURL?, _ added: String) throws(TarmacError) -> HTTPURL {
        let storage = template.storage
        guard let base else {
            let url =
                if let whole = storage.url { whole } else {
                    try HTTPURL(try template.expand { name throws(TarmacError) in try fields.value(name) }.string)
                }
            return added.isEmpty ? url : url.with(query: joined(added, behind: url.query))
        }
        var path: String, query: String?
        if storage.isPlainPath {
            (path, query) = (storage.text, nil)
        } else {
            var expander = URITemplateExpander(template: template, isStrict: true)
            // A closure of its own: a reference to the method would be allocated for each variable.
            (path, query) = try expander.target { name throws(TarmacError) in try fields.value(name) }
        }
        query = joined(query, behind: base.query)
        if !added.isEmpty { query = joined(added, behind: query) }
        return HTTPURL(scheme: base.scheme, host: base.host, port: base.port, path: joined(path, below: base.path), query: query)
    }

    private static func joined(_ path: String, below base: String) -> String {
        let begins = path.utf8.first == UInt8(ascii: "/")
        if base == "/", begins { return path }
        let prefix = base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base
        return path.isEmpty || begins ? prefix + path : "\(prefix)/\(path)"
    }

    /// Appends a query to that of the base, which may have one, such as a fixed API version.
    private static func joined(_ query: String?, behind base: String?) -> String? {
        guard let base, !base.isEmpty else { return query }
        guard let query, !query.isEmpty else { return base }
        return "\(base)&\(query)"
    }

    // MARK: Header fields

    package func headerFields(_ query: QueryEncoder) throws(TarmacError) -> HTTPFields {
        var fields = HTTPFields()
        for parameter in inHeaders {
            for value in try values(of: parameter, query) { try fields.add(HTTPField.checked(parameter.name, value), orThrow: .invalidParameter) }
        }
        return fields
    }

    /// Returns the values of a field. An array gives one field for each element.
    private func values(of parameter: Parameter, _ query: QueryEncoder) throws(TarmacError) -> [String] {
        guard case .array(let elements) = parameter.value else {
            return try query.text(of: parameter.value, named: parameter.name).map { [$0] } ?? []
        }
        var values: [String] = []
        for element in elements {
            if let text = try query.text(of: element, named: parameter.name) { values.append(text) }
        }
        return values
    }

    // MARK: Body

    /// Returns the call's own body with the parameters that belong to it, or the body made from them.
    package func body(_ format: ParameterFormat) throws(TarmacError) -> Body {
        if let ownBody { return try inBody.isEmpty ? ownBody : ownBody.form?.adding(fields(format)) ?? ownBody }
        if let wholeBody { return try whole(wholeBody, format) }
        if inBody.isEmpty { return .none }
        switch format.body.kind {
        case .json:
            try inBody.validate()
            return try json(.object(Array(inBody)), format)
        case .custom(let custom):
            try inBody.validate()
            return try custom.write(.object(Array(inBody)))
        case .form: return .bytes(Bytes(try FormEncoder(format.query).encode(inBody)), contentType: "application/x-www-form-urlencoded")
        }
    }

    /// Returns the parameters as an encoded form, for parts beside files. A form has its own character encoding and settings.
    private func fields(_ format: ParameterFormat) throws(TarmacError) -> String {
        guard case .custom(let custom) = format.body.kind, custom.isForm else { return try FormEncoder(format.query).encode(inBody) }
        return String(decoding: try custom.write(.object(Array(inBody))).buffered?.array ?? [], as: UTF8.self)
    }

    private func whole(_ parameter: Parameter, _ format: ParameterFormat) throws(TarmacError) -> Body {
        switch parameter.value {
        case .data(let data): return .data(data)
        case .string(let text): return .text(text)
        case .object(let members) where format.body.isForm:
            let form = try FormEncoder(format.query).encode(ParameterList(members))
            return .bytes(Bytes(form), contentType: "application/x-www-form-urlencoded")
        default:
            if case .custom(let custom) = format.body.kind { return try custom.write(parameter.value) }
            return try json(parameter.value, format)
        }
    }

    private func json(_ value: ParameterValue, _ format: ParameterFormat) throws(TarmacError) -> Body {
        .bytes(try format.encoder.encode(value, dates: format.query.dates), contentType: "application/json")
    }
}

/// The settings for writing parameters.
package struct ParameterFormat: Sendable {
    package let query: QueryEncoder
    package let body: BodyFormat
    package let encoder: BodyEncoder

    package init(query: QueryEncoder, body: BodyFormat, encoder: BodyEncoder) {
        (self.query, self.body, self.encoder) = (query, body, encoder)
    }
}
