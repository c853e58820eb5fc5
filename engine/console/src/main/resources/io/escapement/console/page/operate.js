// Operations: each is asked for in a dialog that names its effect.

/** The page's dialog. */
export class Operate {
    constructor(request, onDone) {
        this.request = request;
        this.onDone = onDone;
        this.dialog = document.getElementById("dialog");
        this.input = document.getElementById("dialog-value");
        document.getElementById("dialog-form").addEventListener("submit", (event) => {
            event.preventDefault();
            this.run();
        });
        document.getElementById("dialog-cancel").addEventListener("click", () => this.dialog.close());
    }

    /**
     * Ask.
     *
     * title, effect and verb are texts. values contains the values of the request. With a field, the operator types its
     * value.
     */
    ask({title, effect, verb, values, field = null}) {
        this.values = values;
        this.field = field;
        document.getElementById("dialog-title").textContent = title;
        document.getElementById("dialog-effect").textContent = effect;
        document.getElementById("dialog-run").textContent = verb;
        document.getElementById("dialog-error").textContent = "";
        document.getElementById("dialog-field").hidden = field === null;
        if (field !== null) {
            document.getElementById("dialog-label").textContent = field.label;
            this.input.min = field.min;
            this.input.max = field.max;
            this.input.value = field.value;
        }
        this.input.disabled = field === null;
        this.dialog.showModal();
    }

    async run() {
        const button = document.getElementById("dialog-run");
        const values = this.field === null ? this.values : {...this.values, [this.field.name]: this.input.value};
        button.disabled = true;
        try {
            const answer = await this.request("/api/operate", {
                method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(values)
            });
            this.dialog.close();
            this.onDone(answer.done);
        } catch (error) {
            document.getElementById("dialog-error").textContent = error.message;
        } finally {
            button.disabled = false;
        }
    }
}
