import HTTPServer
import MovieDomain

/// `/my/import`: the form for a list of films, and the report of an import.
struct ImportPage: Sendable {
    var list: MarkKind
    var token: String
    /// The content of the text field.
    var text = ""
    /// The key of the text about a rejected form.
    var alarmKey: String?
    var report: ImportReport?

    init(list: MarkKind, token: String) {
        self.list = list
        self.token = token
    }

    func page(_ request: PageRequest) -> Page {
        let formats = request.formats
        let lists = MarkKind.allCases.map { kind -> Model in
            let list = SavedFilmsPage.List(kind)
            return ["value": list.rawValue, "text": formats(list.texts.name), "isChosen": kind == self.list]
        }
        let own = SavedFilmsPage.List(self.list)
        let main = request.render(
            "import",
            [
                "heading": formats("importTitle"),
                "alarm": self.alarmKey.map { formats($0) },
                "report": self.report?.model(request),
                "lists": lists, "token": self.token, "text": self.text,
                "returnTo": request.returnPath.description, "listURL": request.links.url(own.path),
                "listName": formats(own.texts.name), "lengthLimit": FilmListForms.lengthLimit,
                "limits": formats("importLimits", count: ImportRows.limit),
            ])
        var page = Page(title: formats("importTitle"), main: main)
        page.needsMoreStyles = true
        page.caching = EncodedResponse.CachePolicy.none
        return page
    }
}

/// The results of an import.
struct ImportReport: Sendable {
    let results: [ImportFilms.Result]
    /// The number of rows beyond the limit.
    let omittedCount: Int

    /// The rows that a further import may add.
    var unfinished: [ImportRow] {
        self.results.filter { $0.outcome == .failed || $0.outcome == .untried }.map(\.row)
    }

    func model(_ request: PageRequest) -> Model {
        let formats = request.formats
        let count = { (outcome: ImportFilms.Outcome) in self.results.count { $0.outcome == outcome } }
        var summary = [formats("importAdded", count: count(.added))]
        if count(.known) > 0 { summary.append(formats("importKnown", count: count(.known))) }
        let others = self.results.compactMap { self.row($0, request) }
        if !others.isEmpty { summary.append(formats("importOthers", count: others.count)) }
        if !self.unfinished.isEmpty { summary.append(formats("importAgain", count: self.unfinished.count)) }
        if self.omittedCount > 0 { summary.append(formats("importOmitted", count: self.omittedCount)) }
        return ["summary": summary, "others": others.isEmpty ? nil : ["rows": others] as Model]
    }

    /// A row that was not imported; `nil` for other rows.
    private func row(_ result: ImportFilms.Result, _ request: PageRequest) -> Model? {
        let formats = request.formats
        var choices: [MovieSummary] = []
        let reason: String
        switch result.outcome {
        case .added, .known: return nil
        case .empty: reason = formats("importEmpty")
        case .unmatched: reason = formats("importUnmatched")
        case .ambiguous(let films): (reason, choices) = (formats("importAmbiguous"), films)
        case .full(let limit): reason = formats("errorTooMany", count: limit)
        case .failed: reason = formats("importFailed")
        case .untried: reason = formats("importUntried")
        }
        return [
            "text": result.row.text, "reason": reason,
            "choices": choices.map { film in
                [
                    "url": request.links.film(film.id),
                    "name": film.year.map { "\(film.title) (\($0))" } ?? film.title,
                ] as Model
            },
        ]
    }
}
