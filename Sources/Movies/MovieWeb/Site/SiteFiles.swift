import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain

/// Files requested by browsers: `/manifest.webmanifest`, `/service-worker.js`, and `/favicon.ico`, which browsers
/// request for documents without an icon, such as pictures and errors.
struct SiteFiles: Sendable {
    /// In seconds.
    private static let lifetime = 3600
    private static let paper = "#f4f1ea"

    private let manifests: [Language: WebAssets.Asset]
    private let worker: WebAssets.Asset
    /// A PNG file, which browsers accept under this name.
    private let icon: WebAssets.Asset

    /// - Throws: `EncodingError`.
    init(_ resources: WebResources) throws {
        let caching = "public, max-age=\(Self.lifetime)"
        var manifests: [Language: WebAssets.Asset] = [:]
        for language in TranslatedTexts.languages {
            manifests[language] = WebAssets.Asset(
                try EncodedResponse.jsonBytes(of: Self.manifest(resources, in: language)),
                type: "application/manifest+json", caching: caching)
        }
        self.manifests = manifests
        var worker = WebAssets.Asset(
            Array(try Self.worker(resources).utf8), type: "text/javascript; charset=utf-8", caching: "no-cache")
        // The worker's own policy: it fetches resources for pages.
        worker.policy = "default-src 'none'; connect-src 'self'"
        self.worker = worker
        self.icon = WebAssets.Asset(resources.assets["icon-192.png"] ?? [], type: "image/png", caching: caching)
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get("/manifest.webmanifest") { request, context in
            let named = try context.target.parameters().first { $0.name == "language" }?.value
            let language = TranslatedTexts.language(
                for: LanguagePreference([named.flatMap { Language($0) }].compactMap(\.self)))
            guard let manifest = self.manifests[language] else {
                throw Problem(.notFound, "there is no manifest in this language")
            }
            return manifest.response(to: request)
        }
        router.get("/service-worker.js") { request, _ in self.worker.response(to: request) }
        router.get("/favicon.ico") { request, _ in self.icon.response(to: request) }
    }

    // MARK: The service worker

    /// The script, preceded by the addresses that it caches when it is installed.
    private static func worker(_ resources: WebResources) throws -> String {
        let script = resources.assets[WebAssets.workerName] ?? []
        let assets = resources.assets.keys.filter { $0 != WebAssets.workerName }.sorted().map(resources.address)
        let offline = Dictionary(
            uniqueKeysWithValues: TranslatedTexts.languages.map { ($0.code, "/offline?language=\($0)") })
        let constants = [
            ("version", try EncodedResponse.jsonBytes(of: resources.version)),
            ("assets", try EncodedResponse.jsonBytes(of: assets)),
            ("offline", try EncodedResponse.jsonBytes(of: offline)),
        ]
        let head = constants.map { "\($0) = \(String(decoding: $1, as: UTF8.self))" }.joined(separator: ", ")
        return "const \(head);\n" + String(decoding: script, as: UTF8.self)
    }

    // MARK: The manifest

    private struct Manifest: Encodable {
        struct Icon: Encodable {
            let src, type, sizes: String
            var purpose: String?
        }
        struct Shortcut: Encodable {
            let name, url: String
        }

        let id = "/"
        let name, short_name, description, lang, start_url: String
        let scope = "/"
        let display = "standalone"
        let background_color = SiteFiles.paper
        let theme_color = SiteFiles.paper
        let icons: [Icon]
        let shortcuts: [Shortcut]
    }

    private static func manifest(_ resources: WebResources, in language: Language) -> Manifest {
        let text = { (key: String) in resources.texts.text(key, in: language, [:]) }
        let url = { (path: String) in "\(path)?language=\(language)" }
        let png = { (name: String, side: Int, purpose: String?) in
            Manifest.Icon(
                src: resources.address(of: name), type: "image/png", sizes: "\(side)x\(side)", purpose: purpose)
        }
        return Manifest(
            name: text("siteTitle"), short_name: text("siteTitle"), description: text("siteDescription"),
            lang: language.code, start_url: url("/"),
            icons: [
                Manifest.Icon(src: resources.address(of: "icon.svg"), type: "image/svg+xml", sizes: "any"),
                png("icon-192.png", 192, nil), png("icon-512.png", 512, nil),
                png("icon-maskable-512.png", 512, "maskable"),
            ],
            shortcuts: [
                Manifest.Shortcut(name: text("navSearch"), url: url("/search")),
                Manifest.Shortcut(name: text("navMine"), url: url("/my/favourites")),
                Manifest.Shortcut(name: text("navBoxOffice"), url: url("/box-office")),
            ])
    }
}
