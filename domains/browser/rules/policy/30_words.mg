# What the names of buttons say, as whole words, one to three of them, in several languages. Another language
# is more rows.

means("pay", "pay").
means("purchase", "pay").
means("buy", "pay").
means("donate", "pay").
means("withdraw", "pay").
means("place order", "pay").
means("place your order", "pay").
means("order now", "pay").
means("complete order", "pay").
means("confirm order", "pay").
means("submit order", "pay").
means("book now", "pay").
means("send money", "pay").
means("transfer money", "pay").
means("start subscription", "pay").
means("kaufen", "pay").
means("bezahlen", "pay").
means("zahlen", "pay").
means("zahlungspflichtig", "pay").
means("zahlungspflichtig bestellen", "pay").
means("überweisen", "pay").
means("spenden", "pay").
means("payer", "pay").
means("acheter", "pay").
means("commander", "pay").
means("pagar", "pay").
means("comprar", "pay").
means("paga", "pay").
means("acquista", "pay").
means("compra", "pay").
means("betalen", "pay").
means("kopen", "pay").
means("zapłać", "pay").
means("kup", "pay").
means("оплатить", "pay").
means("купить", "pay").
means("öde", "pay").
means("支払う", "pay").
means("購入", "pay").
means("支付", "pay").
means("付款", "pay").
means("购买", "pay").

means("delete", "delete").
means("erase", "delete").
means("destroy", "delete").
means("remove", "delete").
means("discard", "delete").
means("purge", "delete").
means("wipe", "delete").
means("empty trash", "delete").
means("close account", "delete").
means("deactivate", "delete").
means("cancel subscription", "delete").
means("cancel order", "delete").
means("cancel booking", "delete").
means("revoke", "delete").
means("unsubscribe", "delete").
means("löschen", "delete").
means("entfernen", "delete").
means("verwerfen", "delete").
means("kündigen", "delete").
means("stornieren", "delete").
means("supprimer", "delete").
means("effacer", "delete").
means("retirer", "delete").
means("eliminar", "delete").
means("borrar", "delete").
means("excluir", "delete").
means("apagar", "delete").
means("elimina", "delete").
means("cancella", "delete").
means("verwijderen", "delete").
means("usuń", "delete").
means("удалить", "delete").
means("sil", "delete").
means("削除", "delete").
means("删除", "delete").

means("send", "send").
means("publish", "send").
means("post", "send").
means("share", "send").
means("tweet", "send").
means("reply", "send").
means("invite", "send").
means("submit", "send").
means("apply now", "send").
means("deploy", "send").
means("senden", "send").
means("absenden", "send").
means("veröffentlichen", "send").
means("teilen", "send").
means("einladen", "send").
means("envoyer", "send").
means("publier", "send").
means("partager", "send").
means("enviar", "send").
means("publicar", "send").
means("compartir", "send").
means("invia", "send").
means("pubblica", "send").
means("condividi", "send").
means("verzenden", "send").
means("plaatsen", "send").
means("wyślij", "send").
means("opublikuj", "send").
means("отправить", "send").
means("опубликовать", "send").
means("gönder", "send").
means("送信", "send").
means("公開", "send").
means("发送", "send").
means("发布", "send").

means("sign in", "sign_in").
means("signin", "sign_in").
means("log in", "sign_in").
means("login", "sign_in").
means("log on", "sign_in").
means("authorize", "sign_in").
means("authorise", "sign_in").
means("grant access", "sign_in").
means("continue with google", "sign_in").
means("sign in with", "sign_in").
means("anmelden", "sign_in").
means("einloggen", "sign_in").
means("se connecter", "sign_in").
means("connexion", "sign_in").
means("iniciar sesión", "sign_in").
means("accedi", "sign_in").
means("entrar", "sign_in").
means("inloggen", "sign_in").
means("zaloguj", "sign_in").
means("войти", "sign_in").
means("giriş yap", "sign_in").
means("ログイン", "sign_in").
means("登录", "sign_in").

means("upload", "upload").
means("hochladen", "upload").
means("download", "download").
means("herunterladen", "download").
means("télécharger", "download").
means("descargar", "download").

# What places are called that take away what is dragged to them.
takes("bin", "delete").
takes("trash", "delete").
takes("trashcan", "delete").
takes("dustbin", "delete").
takes("wastebasket", "delete").
takes("garbage", "delete").
takes("recycle", "delete").
takes("delete", "delete").
takes("remove", "delete").
takes("deleted", "delete").
takes("papierkorb", "delete").
takes("löschen", "delete").
takes("entfernen", "delete").
takes("corbeille", "delete").
takes("poubelle", "delete").
takes("supprimer", "delete").
takes("papelera", "delete").
takes("eliminar", "delete").
takes("cestino", "delete").
takes("elimina", "delete").
takes("lixeira", "delete").
takes("lixo", "delete").
takes("prullenbak", "delete").
takes("verwijderen", "delete").
takes("kosz", "delete").
takes("usuń", "delete").
takes("корзина", "delete").
takes("çöp", "delete").
takes("ゴミ箱", "delete").
takes("回收站", "delete").
takes("垃圾桶", "delete").
takes("废纸篓", "delete").
