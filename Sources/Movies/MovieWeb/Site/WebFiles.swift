import HTTPServer
import MovieDomain

/// The files of the web pages, parsed once for all servers of the process.
package struct WebFiles: Sendable {
    /// The keys of texts shown by scripts.
    private static let scriptKeys = [
        "moreLoading", "moreLoaded", "moreFailed", "filmShared", "filmShareLabel", "changeFailed", "changeOffline",
        "offlineNote", "onlineAgain", "stored", "storedOffline", "storedAway", "errorRetry", "agoMinutes", "agoHours",
        "agoDays", "undo", "favouriteAdded", "favouriteRemoved", "watchlistAdded", "watchlistRemoved", "rateSaved",
        "rateRemoved", "rateValue", "rateRemove", "close", "suggestions", "suggestionCount", "importTooLarge",
        "importFileFailed", "badgesShown",
    ]

    let resources: WebResources
    let templates: TemplateLibrary
    /// The style sheet inlined in every page.
    let sheet: String
    let sheetSource: String
    /// The scripts' texts as JSON, by language.
    let scriptTexts: [Language: String]
    let siteFiles: SiteFiles

    /// - Parameter directory: The folder with the files; `nil` searches beside the program.
    /// - Throws: An error that describes the invalid file.
    package init(directory: String? = nil) throws {
        let resources = try WebResources(directory: directory)
        guard let sheet = resources.assets["onesheet.css"] else {
            throw WebResources.Unreadable(description: "assets/onesheet.css is missing")
        }
        self.siteFiles = try SiteFiles(resources)
        self.scriptTexts = try Dictionary(
            uniqueKeysWithValues: TranslatedTexts.languages.map { ($0, try Self.scriptTexts(resources.texts, in: $0)) })
        self.resources = resources
        self.templates = try TemplateLibrary(resources.templates, texts: resources.texts)
        self.sheet = MinifiedCSS(String(decoding: sheet, as: UTF8.self)).description
        self.sheetSource = ContentPolicy.source(of: self.sheet)
    }

    private static func scriptTexts(_ texts: TranslatedTexts, in language: Language) throws -> String {
        var chosen: [String: String] = [:]
        for key in Self.scriptKeys {
            guard let text = texts.text(key, in: language) else {
                throw TranslatedTexts.Malformed("\(key), which scripts show, is missing")
            }
            chosen[key] = text
        }
        return String(decoding: try EncodedResponse.jsonBytes(of: chosen), as: UTF8.self)
    }
}
