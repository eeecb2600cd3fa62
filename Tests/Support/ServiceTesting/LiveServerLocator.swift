import PosterPipeline

/// Adds the source `elsewhere` to the service's locator: its keys are URLs, at any origin.
struct LiveServerLocator: PosterLocator {
    let service: any PosterLocator

    private static func elsewhere(_ id: PosterID) -> OriginalLocation? {
        id.source == "elsewhere" ? .web(url: id.key) : nil
    }

    func locate(_ id: PosterID) async throws -> OriginalLocation {
        if let location = Self.elsewhere(id) { return location }
        return try await self.service.locate(id)
    }

    func knownLocation(of id: PosterID) async throws -> OriginalLocation? {
        if let location = Self.elsewhere(id) { return location }
        return try await self.service.knownLocation(of: id)
    }

    func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation? {
        try await self.service.successor(of: location, for: id)
    }
}
