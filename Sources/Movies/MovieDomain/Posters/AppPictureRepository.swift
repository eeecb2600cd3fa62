/// Icons and screenshots of a store's apps.
public struct AppPictureRepository: SourcePictureRepository {
    private let store: any StoreRepository

    /// Pictures of the apps of `store`.
    public init(_ store: any StoreRepository) {
        self.store = store
    }

    /// The store's.
    public var source: MovieSource { self.store.source }

    /// The app's icon.
    public func sourcePoster(of id: MovieID) async throws -> SourcePoster {
        guard let app = try await self.app(id) else { return .unknown }
        return app.icon.map { .known($0) } ?? .none
    }

    /// nil: nobody else has an app's icon.
    public func searchTerms(for id: MovieID) async throws -> PosterSearchTerms? { nil }

    /// The app's screenshots.
    public func gallery(of id: MovieID) async throws -> [GalleryPicture]? {
        try await self.app(id)?.screenshots
    }

    private func app(_ id: MovieID) async throws -> StoreApp? {
        guard let id = StoreAppID(source: id.source, key: id.key) else { return nil }
        return try await self.store.app(id)
    }
}
