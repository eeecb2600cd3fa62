import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
import NIOCore
import PosterPipeline

/// `GET` of pictures at the paths of the Rating Poster Database (RPDB), such as
/// `/compat/rpdb/{key}/imdb/poster-default/{id}.jpg`, and of `/compat/rpdb/{key}/isValid`.
package struct RPDBController: Sendable {
    /// The configured behaviour.
    package struct Settings: Hashable, Sendable {
        /// Whether the paths are at the root, too.
        package var servesRoot = false
        /// Whether `Accept` selects the format.
        package var negotiates = false
        /// Whether keys are redirected to one URL per settings.
        package var redirects = false

        package init() {}
    }

    /// The fields of a response to a valid key. Clients read the member `valid`.
    private static let valid = #"{"valid":true}"#

    private let pictures: PosterController
    private let finder: any RPDBPictureFinder
    private let keys: RPDBKeys
    private let settings: Settings
    private let publicURL: PublicURL?

    /// - Parameters:
    ///   - pictures: Answers completed requests.
    ///   - publicURL: The server's URL for clients; `nil` makes redirects relative.
    package init(
        pictures: PosterController, finder: any RPDBPictureFinder, keys: RPDBKeys, settings: Settings,
        publicURL: PublicURL? = nil
    ) {
        self.pictures = pictures
        self.finder = finder
        self.keys = keys
        self.settings = settings
        self.publicURL = publicURL
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath("\(RPDBPath.base)/:key/isValid"), use: self.validity)
        router.get(RouterPath("\(RPDBPath.base)/:key/:registry/:type/:file"), use: self.picture)
        guard self.settings.servesRoot else { return }
        // The router prefers literal segments: no other resource is hidden by a key.
        router.get("/:key/isValid", use: self.validity)
        for registry in RPDBTitle.Registry.allCases {
            router.get(RouterPath("/:key/\(registry.rawValue)/:type/:file"), use: self.picture)
        }
    }

    @Sendable
    private func validity(_ request: Request, context: ServerRequestContext) async throws -> Response {
        _ = try self.keys.defaults(of: try RPDBPath(context.target).key)
        var headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store", .contentTypeOptions: "nosniff",
        ]
        headers.letScriptsRead()
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: Self.valid)))
    }

    @Sendable
    private func picture(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let path = try RPDBPath(context.target)
        let defaults = try self.keys.defaults(of: path.key)
        let parser = self.pictures.policies.parser
        guard self.keys.areRequired || !parser.policy.requiresSignatures else {
            throw Problem(
                .invalidSignature, "pictures require a signature: only keys of --compat-keys-file replace one")
        }
        let (asked, badges): (RPDBRequest, BadgeRequest?)
        do {
            asked = try RPDBRequest(path, context.target)
            badges = try defaults.badges(asked.badges, sources: asked.type.sources)
        } catch {
            guard let placeholder = RPDBRequest.placeholder(path, context.target) else { throw error }
            return try placeholder.response(to: Preconditions(request.headers))
        }
        do {
            let found = try await self.found(asked, context)
            if self.settings.redirects,
                let redirection = RPDBRedirection.response(
                    to: asked, found, badges: badges, policy: parser.policy, base: self.publicURL?.text ?? "",
                    negotiates: self.settings.negotiates)
            {
                return redirection
            }
            let negotiated =
                self.settings.negotiates
                ? PictureRequestHeaders(request.headers, order: parser.policy.formats).formats : nil
            return try await self.pictures.response(
                to: parser.rpdb(asked, found, badges: badges, negotiated: negotiated), request, context)
        } catch let error where asked.hasFallback && Self.isReplaced(error) {
            return try RPDBPlaceholder(asked.box, of: asked.kind).response(to: Preconditions(request.headers))
        }
    }

    private func found(_ asked: RPDBRequest, _ context: ServerRequestContext) async throws -> RPDBPicture {
        let (kind, title, language) = (asked.kind, asked.title, asked.language)
        if let known = self.finder.knownPicture(kind, of: title, language: language) { return known }
        let found = try await context.whileClientPresent {
            try await self.finder.picture(kind, of: title, language: language)
        }
        guard let found else { throw Problem(.unknownPoster, "no source has a \(kind.rawValue) of \(title)") }
        return found
    }

    /// Whether a placeholder replaces the error: not an error of the request's conditions, nor a client that has left.
    private static func isReplaced(_ error: any Error) -> Bool {
        switch ((error as? any ProblemConvertible)?.problem ?? error as? Problem)?.kind {
        case nil, .preconditionFailed, .rangeNotSatisfiable: false
        default: true
        }
    }
}
