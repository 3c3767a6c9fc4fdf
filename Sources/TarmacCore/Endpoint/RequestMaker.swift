import HTTPTypes

/// Makes the URL, the body and the fields of a request from its parameters.
///
/// It has the settings that this needs and nothing of the client, so a request that keeps it keeps no client alive.
struct RequestMaker: Sendable {
    private let format: ParameterFormat
    private let filters: [any URLFilter]
    private let redactor: Redactor
    /// Whether endpoint or call set their own parameter transforms.
    private let hasOwnTransforms: Bool
    /// The origins of the service.
    private let origins: [WebOrigin]
    private let time: any TimeSource

    init(_ options: ResolvedOptions, owns origins: [WebOrigin], time: any TimeSource) {
        let values = options.values
        format = ParameterFormat(query: values.query, body: values.bodyFormat, encoder: values.encoder)
        filters = values.urlFilters
        redactor = options.redactor
        hasOwnTransforms = !values.parameterTransforms.isEmpty && options.hasOwnTransforms
        self.origins = origins
        self.time = time
    }

    /// Returns the parts that the given transforms make of the ingredients now.
    func parts(of ingredients: RequestIngredients, _ transforms: [any ParameterTransform]) throws -> RequestParts {
        let template = ingredients.template
        let parameters = try transforms.isEmpty ? ingredients.given : transformed(ingredients, transforms)
        try parameters.validate()
        let sorter = try ParameterSorter(
            parameters, given: ingredients.given, method: ingredients.method, template: template, ownBody: ingredients.ownBody)
        let url = try filtered(try sorter.url(base: ingredients.base, query: format.query, redactor: redactor), ingredients)
        return RequestParts(
            url: url, body: try sorter.body(format), fields: try sorter.headerFields(format.query),
            secretNames: parameters.secretNames, hasSecretBody: parameters.contains { $0.isSecret && $0.placement == .body })
    }

    private func transformed(_ ingredients: RequestIngredients, _ transforms: [any ParameterTransform]) throws -> ParameterList {
        let target = target(ingredients)
        return try transforms.reduce(ingredients.given) { list, transform in
            do throws(any Error) { return try transform.transform(list, for: target) } catch let error as TarmacError { throw error } catch {
                throw TarmacError(.callerFailed, "the parameter transform \(type(of: transform)) threw \(type(of: error))", cause: error)
            }
        }
    }

    /// Returns the parts without protecting transforms, if the request can be identified by them. It cannot with
    /// transforms that endpoint or call set, because those cannot be compared.
    func question(of ingredients: RequestIngredients) -> RequestParts? {
        guard ingredients.transforms.contains(where: \.onlyProtects), !hasOwnTransforms else { return nil }
        // A request that cannot be made without the protecting transforms is identified as it is sent.
        return try? parts(of: ingredients, ingredients.transforms.filter { !$0.onlyProtects })
    }

    private func filtered(_ url: HTTPURL, _ ingredients: RequestIngredients) throws(TarmacError) -> HTTPURL {
        if filters.isEmpty || !origins.contains(url.origin) { return url }
        return try URLFiltering(filters: filters, target: target(ingredients), owns: origins.contains).filtered(url)
    }

    private func target(_ ingredients: RequestIngredients) -> ParameterTarget {
        ParameterTarget(
            method: ingredients.method.rawValue, template: ingredients.template.text, endpoint: ingredients.endpoint, date: time.date)
    }
}
